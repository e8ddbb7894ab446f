"""The technologies known by name, and their table parsed for look-up; chosen by hand.

A row of the table is "kind: entries", an entry `canonical = alias, alias`; entries stand between ";". The canonical
name is in lower case and is an alias of itself. Names of several words match with blanks or hyphens between them.
Marks before a name:

    ~   an ordinary English word as well: counts only with evidence around it ("use Flask", "in Rust")
    ~~  a very ordinary word or a single letter (go, make, next, c): only with stronger evidence
    !   counts in exactly this spelling (REST, RAG, ARM); in any other as if marked ~
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

CERTAIN, WEAK, STRICT = 0, 1, 2
"""How certain it is that a name is one: always, with evidence, with strong evidence."""

TECHNOLOGIES = """
database: postgresql = postgres, pgsql, psql, postgre; mysql; mariadb; sqlite = sqlite3; ~oracle = oracle db,
  oracle database; sql server = mssql, sqlserver; cockroachdb; tidb; ~~neon = neon db, neon postgres; turso;
  mongodb = mongo, mongo atlas; ~atlas = mongodb atlas; redis = ioredis; valkey; memcached; etcd; cassandra;
  couchdb; dynamodb = dynamo db; cosmos db = cosmosdb; firestore; neo4j; influxdb; timescaledb = timescale;
  clickhouse; duckdb; rocksdb; elasticsearch = elastic search; opensearch; solr; meilisearch; typesense;
  algolia; qdrant; milvus; weaviate; pinecone; ~chroma = chromadb; faiss; pgvector; lancedb; bigquery = big
  query; redshift; ~snowflake; databricks; indexeddb
package manager: pip = pip3; pipx; pipenv; ~poetry; uv; pdm; setuptools; conda = miniconda, anaconda; mamba =
  micromamba; npm = npx; yarn; pnpm; ~bun = bunx, bun.sh; deno; cargo; ~~composer; ~bundler; rubygems; nuget;
  cocoapods; swift package manager = swiftpm; homebrew = ~brew; ~apt = apt-get, apt install; dnf; yum; ~nix =
  nixpkgs; chocolatey; nvm; pyenv
frontend: ~react = react.js, reactjs, react js; react native; vue = vue.js, vuejs, vue js; angular =
  angular.js, angularjs; svelte; ~~solid = solid.js, solidjs; preact; qwik; ~lit = lit element; alpine.js =
  alpinejs; ~ember = ember.js; jquery; htmx; redux = redux toolkit; zustand; mobx; ~recoil = recoil.js; jotai;
  pinia; vuex; rxjs; react query = tanstack query; react router; tanstack router; react hook form; swr; axios;
  tailwind = tailwind css, tailwindcss; ~bootstrap = bootstrap css, bootstrap 5; material ui = mui; chakra ui
  = chakra; ant design = antd; element plus; element ui; vuetify; naive ui; shadcn = shadcn/ui, shadcn ui;
  ~radix; headless ui; daisyui; bulma; styled components; emotion css = @emotion, emotion.js; sass = scss;
  postcss; framer motion; gsap; three.js = threejs; react three fiber; d3 = d3.js, d3js; echarts; chart.js =
  chartjs; recharts; plotly; highcharts; mapbox; monaco = monaco editor; codemirror; electron; ionic;
  ~capacitor; ~expo; flutter; kotlin multiplatform = kmp; jetpack compose; swiftui; uikit; uniapp = uni-app;
  wechat mini program = 微信小程序, 小程序; storybook; pwa; webgl; webgpu; webrtc; service worker
backend: node.js = nodejs, node js, ~node; ~express = express.js, expressjs, express js; koa = koa.js, koajs;
  fastify; nestjs = nest.js, nest js, ~nest; ~hapi = hapi.js; hono; next.js = nextjs, next js, ~~next; nuxt =
  nuxt.js, nuxtjs; ~remix = remix run; sveltekit; astro; ~gatsby = gatsbyjs; django; django rest framework =
  drf; ~flask; fastapi = fast api; starlette; ~tornado; sanic; litestar; aiohttp; uvicorn; gunicorn; httpx;
  ~~requests = python requests, requests library; rails = ruby on rails, ror; laravel; symfony; thinkphp;
  wordpress = wp-cli; drupal; ~spring = spring framework; spring boot = springboot, spring-boot-starter;
  spring cloud; spring security; quarkus; micronaut; tomcat; ~netty; asp.net = aspnet, asp.net core; .net =
  dotnet, .net core, .net framework; blazor; ~gin = gin-gonic; ~~echo = labstack echo; ~fiber = gofiber; ~chi
  = go-chi; actix = actix-web; axum; ~rocket = rocket.rs; tokio; serde; ~phoenix = phoenix liveview, liveview;
  ~celery; sidekiq; bullmq; strapi; sanity = sanity.io; supabase; firebase; pocketbase; trpc; socket.io =
  socketio; pydantic; zod; joi; jinja = jinja2
test tool: pytest; unittest; ~jest = jestjs, ts-jest; vitest; ~mocha = mochajs; ~chai; ~jasmine; ~karma;
  ~cypress; playwright; puppeteer; selenium; testing library = react testing library; junit = junit5; mockito;
  rspec; minitest; phpunit; xunit; nunit; googletest = gtest, google test; k6; jmeter; postman; ~hypothesis;
  tox; coverage.py; ~ava; supertest; appium; testcontainers; msw
linter: eslint; ~prettier; ~biome; stylelint; ruff; ~~black = black formatter, psf/black; isort; flake8;
  pylint; mypy; pyright = basedpyright; pre-commit; ~husky; lint-staged; clippy; rustfmt; golangci-lint;
  clang-format; clang-tidy; rubocop; sonarqube; shellcheck; dependabot; semgrep; codeql; snyk
model: openai; anthropic; claude = claude sonnet, claude opus, claude haiku; gpt = chatgpt; gemini = google
  gemini, gemini pro, gemini flash; mistral; llama; qwen = 通义千问, 千问; deepseek; ~grok; ~kimi; glm =
  chatglm, 智谱; doubao = 豆包; ~whisper = openai whisper, faster-whisper; stable diffusion = sdxl; yolo =
  yolov8, yolov5; bert; llm = llms
cloud: aws = amazon web services; gcp = google cloud, google cloud platform; azure = microsoft azure; alibaba
  cloud = aliyun, 阿里云; tencent cloud = 腾讯云; huawei cloud = 华为云; oracle cloud; digitalocean = digital
  ocean; heroku; vercel; netlify; fly.io; ~~render = render.com; ~~railway = railway.app; cloudflare;
  cloudflare workers; cloudflare pages; cloudflare r2; s3 = amazon s3, aws s3; ec2; aws lambda = ~~lambda,
  lambda@edge, aws lambdas; ecs; eks; gke; aks; fargate; cloudformation; aws cdk = cdk; cloudfront; rds = aws
  rds; ~aurora; api gateway; cloudwatch; sagemaker; amazon bedrock = aws bedrock, ~bedrock; vertex ai; cloud
  run; cloud functions; app engine; azure functions; azure devops; sqs; sns; kinesis; cognito; serverless
  framework
data pipeline: ~spark = apache spark, pyspark; flink = apache flink; hadoop = hdfs; kafka = apache kafka; nats
  = jetstream; rabbitmq = rabbit mq; airflow = apache airflow; dagster; dbt
other: python = py3, cpython, pypy, micropython; javascript = js, ecmascript, es6, vanilla js; typescript =
  ~ts, tsx; java = jdk, jvm, openjdk; ~~go = golang, goroutine, go mod, gofmt, in go, use go, using go, write
  go, go code, go project, go backend; ~rust = rustc, rustup, rustlang; c++ = cpp, cplusplus; ~~c = ansi c,
  c99, c11, clang c; c# = csharp, c sharp; f# = fsharp; ~swift = swiftlang; kotlin; scala; ruby; php; perl;
  ~~r = rlang, rstudio, tidyverse, ggplot2; ~julia = julialang; lua = luajit; haskell = ghc; ocaml; elixir;
  erlang; clojure; ~dart = dartlang; objective-c = objc; zig = ziglang; fortran; lisp = common lisp, elisp;
  ~groovy; matlab; solidity; gdscript; vba = visual basic, vb.net; awk; ~assembly = x86 assembly, asm; verilog
  = systemverilog; vhdl; bash = shell script, shell scripts; zsh; ~fish = fish shell; powershell = pwsh; sql =
  plsql, pl/sql, t-sql; html = html5; css = css3; webassembly = wasm; cuda = cudnn; latex = xelatex; jsx;
  pgbouncer; liquibase; flyway; ~hibernate; mybatis; entity framework = ef core; gorm; sqlx; ~prisma; ~drizzle
  = drizzle orm; sequelize; typeorm; mongoose; sqlalchemy; alembic; sqlmodel; nacos; minio; localstorage;
  docker = dockerfile; docker compose = docker-compose; podman; kubernetes = k8s, kubectl; minikube; helm =
  helm chart; kustomize; argo cd = argocd; istio; openshift; jenkins = jenkinsfile; github actions = github
  action, gh actions; gitlab ci = gitlab ci/cd; circleci; travis ci; ci/cd = cicd; ~envoy; traefik; nginx;
  ~caddy; ~apache = apache httpd; haproxy; ~vault = hashicorp vault; terraform = hcl; pulumi; ansible;
  vagrant; prometheus; grafana; datadog; kibana; !ELK = elk stack; opentelemetry = otel; ~sentry = sentry.io;
  wireguard; tailscale; systemd; pm2; vmware; qemu; lets encrypt = letsencrypt, certbot; clang = clang++; gcc
  = g++; llvm; msvc; webpack; vite = vitejs; ~rollup = rollup.js; ~parcel = parcel.js; esbuild; turbopack;
  turborepo; ~nx; lerna; tsc; babel; ~gulp; bazel; cmake = cmakelists.txt; ~ninja; meson; ~~make = makefile,
  gnu make, gmake, make target, make targets, run make; ~~just = justfile; maven = mvn; gradle = gradlew; sbt;
  git; github = gh cli; gitlab; bitbucket; vs code = vscode, visual studio code; visual studio; vim; neovim =
  nvim; intellij = intellij idea; pycharm; webstorm; android studio; xcode; ~~cursor = cursor ai, cursor
  rules, .cursorrules, cursor ide; windsurf; github copilot; claude code; codex; cline; roo code = roo-code,
  roocode; aider; gemini cli; opencode; jupyter = jupyterlab, ipython, jupyter notebook; obsidian; jira;
  trello; ~~notion; ~~slack = slack bot, slack channel, slack webhook, slack api, slack app; discord;
  telegram; figma; ~~linear = linear.app; ~~stripe = stripe api, stripe webhook, stripe checkout, stripe.js;
  paypal; twilio; sendgrid; auth0; okta; keycloak; ~clerk; posthog; google analytics; n8n; power bi; ~excel =
  microsoft excel, excel file, excel files, xlsx; home assistant; shopify; salesforce; !SAP; wechat = 微信;
  dingtalk = 钉钉; feishu = 飞书, lark = ~lark; langsmith; langfuse; openrouter; wandb = weights & biases,
  weights and biases; pytorch = torch, pytorch lightning; tensorflow = tf2; keras; jax; scikit-learn =
  sklearn; xgboost; lightgbm; numpy; pandas; polars; scipy; matplotlib = pyplot; seaborn; streamlit; gradio;
  ~dash = plotly dash; hugging face = huggingface; ~transformers = hf transformers; diffusers; langchain;
  langgraph; llamaindex = llama index, llama_index; crewai; pydantic ai; openai agents sdk; vercel ai sdk = ai
  sdk; ollama; vllm; llama.cpp; lm studio; litellm; comfyui; onnx = onnxruntime, onnx runtime; tensorrt;
  mlflow; ~ray = ray serve; dask; opencv = cv2; spacy; nltk; sentence transformers = sbert; fastembed;
  tiktoken; mcp = model context protocol; !RAG; !LoRA = qlora; networkx; ultralytics; rest api = rest apis,
  restful, restful api, !REST; graphql = gql, apollo graphql; ~apollo = apollo client, apollo server; grpc;
  websocket = websockets, web socket, web sockets; !SSE = server-sent events, server sent events; mqtt; !SOAP;
  json-rpc = jsonrpc; oauth = oauth2, oauth 2.0; oidc = openid connect; jwt = jwts, json web token; ldap; ssh;
  tls = ssl, ssl/tls, mtls; tcp = tcp/ip; udp; http/2 = http2; http/3 = http3; dns; smtp; ftp; sftp; rsync;
  cors; lsp = language server protocol; bluetooth = ble; webauthn = passkeys; rpc; webhook = webhooks; pub/sub
  = pubsub; protobuf = protocol buffers; parquet; ~arrow = apache arrow, pyarrow; msgpack = messagepack; json;
  yaml = yml; toml; xml; csv; openapi; json schema; markdown = mdx; svg; ndjson = jsonl; linux; ubuntu;
  debian; alpine linux = ~alpine; macos = mac os, osx, os x; ~windows = windows 10, windows 11, win32; wsl =
  wsl2; android = 安卓; ios; harmonyos = 鸿蒙; raspberry pi = raspberrypi; ~unity = unity3d, unity engine;
  unreal engine = ue5, ue4; godot; ~blender; pygame; opengl; ~qt = qt5, qt6; tkinter; pyqt = pyqt5, pyqt6;
  pyside = pyside6; tauri; wpf; arduino; esp32; stm32; !ROS = ros2; chrome = google chrome; chrome extension;
  chromium; firefox; ~safari; !ARM = arm64, aarch64; x86 = x86_64, amd64; ethereum = evm; solana; hardhat;
  ~foundry; ethers.js = ethersjs; web3.js = web3js; bitcoin; nvidia; nextauth = auth.js, authjs; ffmpeg;
  pandoc; tmux; curl; wget; jq; ripgrep; scrapy; beautifulsoup = bs4; swagger; conventional commits; openssl;
  ~pillow; openpyxl; ~~rich; typer; ~~click; argparse; tqdm
"""


class Names(NamedTuple):
    """The table, parsed: names by themselves, by their first and further words ("" where a longer one goes on).

    `singles` have the canonical name, how certain it is, and the spelling that makes it so ("" for most).
    """

    singles: dict[str, tuple[str, int, str]]
    phrases: dict[str, dict[str, str]]
    foreign: dict[str, str]
    any_foreign: re.Pattern[str]
    kinds: dict[str, str]


@cache
def names_known() -> Names:
    """Parse the table (once, 4 ms)."""
    singles: dict[str, tuple[str, int, str]] = {}
    phrases: dict[str, dict[str, str]] = {}
    foreign: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for row in re.split(r"\n(?=\S)", TECHNOLOGIES.strip()):
        kind, _, entries = " ".join(row.split()).partition(": ")
        for entry in entries.split(";"):
            aliases = [alias.strip() for alias in re.split(r" = |, ", entry)]
            canonical = aliases[0].lstrip("~!").lower()
            kinds.setdefault(canonical, kind)
            for alias in aliases:
                name = alias.lstrip("~!")
                first, *more = name.lower().replace("-", " ").split()
                if not name.isascii():
                    foreign[name] = canonical
                    continue
                if more:
                    options = phrases.setdefault(first, {})
                    for size in range(1, len(more)):
                        options.setdefault(" ".join(more[:size]), "")
                    options[" ".join(more)] = canonical
                if " " not in name:
                    certain = STRICT if alias.startswith("~~") else WEAK if alias[0] in "~!" else CERTAIN
                    singles.setdefault(name.lower(), (canonical, certain, name if alias[0] == "!" else ""))
    longest_first = sorted(foreign, key=len, reverse=True)
    return Names(singles, phrases, foreign, re.compile("|".join(map(re.escape, longest_first))), kinds)
