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
database: postgresql = postgres, pgsql, psql, postgre; mysql; mariadb; sqlite = sqlite3;
  ~oracle = oracle db, oracle database; sql server = mssql, sqlserver; db2; cockroachdb; tidb; yugabytedb;
  planetscale; ~~neon = neon db, neon postgres; turso; vitess; ~h2 = h2 database;
  mongodb = mongo, mongo atlas; ~atlas = mongodb atlas; redis = ioredis; valkey; memcached; etcd; cassandra;
  scylladb = scylla; couchdb; couchbase; dynamodb = dynamo db; cosmos db = cosmosdb; firestore; neo4j;
  arangodb; dgraph; influxdb; timescaledb = timescale; questdb; clickhouse; duckdb; leveldb; rocksdb; lmdb;
  elasticsearch = elastic search; opensearch; solr; lucene; meilisearch; typesense; algolia; qdrant; milvus;
  weaviate; pinecone; ~chroma = chromadb; faiss; pgvector; lancedb; bigquery = big query; redshift;
  ~snowflake; databricks; delta lake; ~iceberg = apache iceberg; hudi; ~hive = apache hive;
  ~presto = prestodb; trino; ~druid = apache druid; ~pinot = apache pinot; doris = apache doris; ~realm;
  indexeddb; libsql; oceanbase; gaussdb = 高斯数据库; dameng = 达梦; kingbase = 人大金仓; surrealdb;
  fdb = foundationdb
package manager: pip = pip3; pipx; pipenv; ~poetry; uv; pdm; ~hatch; hatchling; setuptools;
  conda = miniconda, anaconda; mamba = micromamba; npm = npx; yarn; pnpm; ~bun = bunx, bun.sh; deno; cargo;
  ~~composer; ~bundler; rubygems; nuget; vcpkg; ~conan; cocoapods; swift package manager = swiftpm;
  homebrew = ~brew; ~apt = apt-get, apt install; dnf; yum; pacman; ~apk; ~nix = nixpkgs; guix; flatpak;
  ~~snap = snapcraft; chocolatey; winget; ~scoop; asdf; ~mise; nvm; fnm; ~volta; pyenv; rbenv; sdkman
frontend: ~react = react.js, reactjs, react js; react native; vue = vue.js, vuejs, vue js;
  angular = angular.js, angularjs; svelte; ~~solid = solid.js, solidjs; preact; qwik; ~lit = lit element;
  alpine.js = alpinejs; ~ember = ember.js; ~backbone = backbone.js; jquery; htmx; ~stimulus = stimulus.js;
  redux = redux toolkit; zustand; mobx; ~recoil = recoil.js; jotai; pinia; vuex; rxjs; xstate;
  react query = tanstack query; react router; tanstack router; react hook form; formik; swr; axios;
  tailwind = tailwind css, tailwindcss; ~bootstrap = bootstrap css, bootstrap 5; material ui = mui;
  chakra ui = chakra; ant design = antd; element plus; element ui; vuetify; quasar; naive ui; arco design;
  shadcn = shadcn/ui, shadcn ui; ~radix; headless ui; daisyui; bulma; styled components;
  emotion css = @emotion, emotion.js; sass = scss; less css = lesscss, less.js; postcss; framer motion; gsap;
  three.js = threejs; react three fiber; d3 = d3.js, d3js; echarts; chart.js = chartjs; recharts; plotly;
  highcharts; ~leaflet = leaflet.js; mapbox; openlayers; monaco = monaco editor; codemirror; tiptap;
  prosemirror; electron; ionic; ~capacitor; cordova; ~expo; flutter; kotlin multiplatform = kmp;
  jetpack compose; swiftui; uikit; uniapp = uni-app; ~taro; wechat mini program = 微信小程序, 小程序;
  storybook; lottie; pwa; webgl; webgpu; webrtc; service worker
backend: node.js = nodejs, node js, ~node; ~express = express.js, expressjs, express js; koa = koa.js, koajs;
  fastify; nestjs = nest.js, nest js, ~nest; ~hapi = hapi.js; hono; adonisjs = adonis;
  next.js = nextjs, next js, ~~next; nuxt = nuxt.js, nuxtjs; ~remix = remix run; sveltekit; astro;
  ~gatsby = gatsbyjs; ~meteor = meteor.js; django; django rest framework = drf; ~flask; fastapi = fast api;
  starlette; ~tornado; ~bottle; ~falcon; sanic; ~quart; litestar; aiohttp; uvicorn; gunicorn; hypercorn;
  httpx; ~~requests = python requests, requests library; ~pyramid; rails = ruby on rails, ror; ~sinatra;
  laravel; symfony; codeigniter; yii; thinkphp; wordpress = wp-cli; drupal; magento; joomla;
  ~spring = spring framework; spring boot = springboot, spring-boot-starter; spring cloud; spring security;
  quarkus; micronaut; ktor; dropwizard; vert.x = vertx; play framework; struts; tomcat; jetty; ~netty;
  asp.net = aspnet, asp.net core; .net = dotnet, .net core, .net framework; blazor; signalr; ~gin = gin-gonic;
  ~~echo = labstack echo; ~fiber = gofiber; ~chi = go-chi; beego; kratos; go-zero; actix = actix-web; axum;
  ~rocket = rocket.rs; ~warp = warp.rs; tokio; serde; ~phoenix = phoenix liveview, liveview; akka; zio;
  http4s; ~celery; dramatiq; sidekiq; bullmq; strapi; directus; contentful; sanity = sanity.io; payload cms;
  hasura; supabase; firebase; appwrite; pocketbase; parse server; trpc; socket.io = socketio; pydantic; zod;
  joi; ~marshmallow; jinja = jinja2; ~twig; thymeleaf
test tool: pytest; unittest; ~jest = jestjs, ts-jest; vitest; ~mocha = mochajs; ~chai; ~jasmine; ~karma;
  ~cypress; playwright; puppeteer; selenium; testing library = react testing library; junit = junit5; testng;
  mockito; rspec; minitest; phpunit; xunit; nunit; googletest = gtest, google test; catch2; k6; ~locust;
  jmeter; postman; ~hypothesis; tox; nox; coverage.py; ~ava; sinon; supertest; webdriverio; appium; ~detox;
  ~cucumber; robot framework; testcontainers; msw; ~criterion; ginkgo; testify
linter: eslint; ~prettier; ~biome; stylelint; tslint; ruff; ~~black = black formatter, psf/black; isort;
  flake8; pylint; mypy; pyright = basedpyright; ~bandit; pre-commit; ~husky; lint-staged; clippy; rustfmt;
  golangci-lint; clang-format; clang-tidy; rubocop; checkstyle; sonarqube; shellcheck; hadolint; dependabot;
  ~renovate; semgrep; codeql; trivy; snyk; phpstan; psalm
model: openai; anthropic; claude = claude sonnet, claude opus, claude haiku; gpt = chatgpt;
  gemini = google gemini, gemini pro, gemini flash; mistral; llama; qwen = 通义千问, 千问; deepseek; ~grok;
  ~kimi; glm = chatglm, 智谱; doubao = 豆包; ernie = 文心一言; ~phi = phi-3, phi-4; gemma;
  ~whisper = openai whisper, faster-whisper; stable diffusion = sdxl; midjourney; dall-e;
  yolo = yolov8, yolov5; bert; llm = llms
cloud: aws = amazon web services; gcp = google cloud, google cloud platform; azure = microsoft azure;
  alibaba cloud = aliyun, 阿里云; tencent cloud = 腾讯云; huawei cloud = 华为云; oracle cloud;
  digitalocean = digital ocean; linode; hetzner; vultr; ovh; heroku; vercel; netlify; fly.io;
  ~~render = render.com; ~~railway = railway.app; cloudflare; cloudflare workers; cloudflare pages;
  cloudflare r2; s3 = amazon s3, aws s3; ec2; aws lambda = ~~lambda, lambda@edge, aws lambdas; ecs; eks; gke;
  aks; fargate; cloudformation; aws cdk = cdk; aws sam; cloudfront; route 53 = route53; rds = aws rds;
  ~aurora; api gateway; step functions; eventbridge; cloudwatch; sagemaker;
  amazon bedrock = aws bedrock, ~bedrock; vertex ai; cloud run; cloud functions; app engine; azure functions;
  azure devops; sqs; sns; kinesis; ~athena = aws athena; ~~glue = aws glue; cognito; serverless framework;
  sst; coolify; dokku
data pipeline: ~spark = apache spark, pyspark; flink = apache flink; ~beam = apache beam; hadoop = hdfs;
  kafka = apache kafka; ~pulsar = apache pulsar; nats = jetstream; rabbitmq = rabbit mq; activemq; rocketmq;
  zeromq = zmq, 0mq; zookeeper; airflow = apache airflow; ~prefect; dagster; dbt; ~luigi; debezium
other: python = py3, cpython, pypy, micropython; javascript = js, ecmascript, es6, vanilla js;
  typescript = ~ts, tsx; java = jdk, jvm, openjdk;
  ~~go = golang, goroutine, go mod, gofmt, in go, use go, using go, write go, go code, go project, go backend;
  ~rust = rustc, rustup, rustlang; c++ = cpp, cplusplus; ~~c = ansi c, c99, c11, clang c;
  c# = csharp, c sharp; f# = fsharp; ~swift = swiftlang; kotlin; scala; ruby; php; perl;
  ~~r = rlang, rstudio, tidyverse, ggplot2; ~julia = julialang; lua = luajit; haskell = ghc; ocaml; elixir;
  erlang; clojure; clojurescript; ~dart = dartlang; objective-c = objc; ~elm = elm lang; zig = ziglang;
  nim = nimlang; ~crystal = crystal lang; dlang; vlang; ~ada = spark ada; fortran; cobol; ~pascal; delphi;
  prolog; lisp = common lisp, elisp; ~racket; ~~scheme; ~groovy; matlab; octave; solidity; vyper;
  ~~move = move lang; ~~lean = lean 4; ~mojo; ~gleam; ~odin; gdscript; abap; ~apex;
  vba = visual basic, vb.net; tcl; awk; ~assembly = x86 assembly, asm; verilog = systemverilog; vhdl;
  bash = shell script, shell scripts; zsh; ~fish = fish shell; powershell = pwsh; sql = plsql, pl/sql, t-sql;
  html = html5; css = css3; webassembly = wasm; cuda = cudnn; opencl; glsl; hlsl; wgsl; latex = xelatex;
  typst; qml; jsx; reasonml; pgbouncer; liquibase; flyway; dbeaver; pgadmin; ~hibernate; mybatis;
  entity framework = ef core; gorm; ~diesel = diesel.rs; sqlx; ecto; ~prisma; ~drizzle = drizzle orm;
  sequelize; typeorm; mikroorm; knex; mongoose; sqlalchemy; alembic; sqlmodel; peewee; tortoise orm; nacos;
  minio; ceph; localstorage; docker = dockerfile; docker compose = docker-compose; docker swarm; podman;
  containerd; kubernetes = k8s, kubectl; k3s; minikube; helm = helm chart; kustomize; argo cd = argocd;
  argo workflows; ~flux = fluxcd; istio; linkerd; openshift; rancher; knative; cilium; lxc;
  jenkins = jenkinsfile; github actions = github action, gh actions; gitlab ci = gitlab ci/cd; circleci;
  travis ci; buildkite; drone ci; teamcity; tekton; ci/cd = cicd; ~envoy; traefik; nginx; ~caddy;
  ~apache = apache httpd; haproxy; ~kong; consul; ~vault = hashicorp vault; ~nomad = hashicorp nomad;
  terraform = hcl; opentofu; pulumi; ansible; ~puppet; ~chef; ~salt = saltstack; packer; vagrant; crossplane;
  prometheus; grafana; ~loki = grafana loki; jaeger; zipkin; datadog; new relic; splunk; kibana; logstash;
  !ELK = elk stack; fluentd; opentelemetry = otel; ~sentry = sentry.io; pagerduty; wireguard; openvpn;
  tailscale; systemd; supervisord; pm2; proxmox; vmware; virtualbox; qemu; kvm;
  lets encrypt = letsencrypt, certbot; ebpf; clang = clang++; gcc = g++; llvm; msvc; webpack; vite = vitejs;
  ~rollup = rollup.js; ~parcel = parcel.js; esbuild; swc; turbopack; turborepo; ~nx; lerna; rspack; rsbuild;
  tsup; tsc; babel; ~gulp; ~grunt; bazel; ~buck = buck2; ~~pants = pantsbuild; cmake = cmakelists.txt; ~ninja;
  meson; scons; ~~make = makefile, gnu make, gmake, make target, make targets, run make; autotools;
  ~~just = justfile; maven = mvn; gradle = gradlew; ~ant = apache ant; sbt; leiningen; git; github = gh cli;
  gitlab; bitbucket; gitea; svn = subversion; mercurial; gerrit; vs code = vscode, visual studio code;
  visual studio; vim; neovim = nvim; emacs; intellij = intellij idea; pycharm; webstorm; goland; clion;
  android studio; xcode; sublime text; ~zed; ~~cursor = cursor ai, cursor rules, .cursorrules, cursor ide;
  windsurf; github copilot; claude code; codex; cline; roo code = roo-code, roocode; aider; gemini cli;
  opencode; devin; jupyter = jupyterlab, ipython, jupyter notebook; obsidian; jira; ~confluence; trello;
  ~~notion; ~~slack = slack bot, slack channel, slack webhook, slack api, slack app; discord; telegram; figma;
  ~~linear = linear.app; ~~stripe = stripe api, stripe webhook, stripe checkout, stripe.js; paypal; twilio;
  sendgrid; auth0; okta; keycloak; ~clerk; posthog; mixpanel; google analytics; n8n; zapier; power bi;
  tableau; looker = looker studio; ~superset = apache superset; metabase;
  ~excel = microsoft excel, excel file, excel files, xlsx; metamask; home assistant; shopify; salesforce;
  !SAP; wechat = 微信; dingtalk = 钉钉; feishu = 飞书, lark = ~lark; roblox; minecraft; langsmith; langfuse;
  openrouter; wandb = weights & biases, weights and biases; elevenlabs; pytorch = torch, pytorch lightning;
  tensorflow = tf2; keras; jax; scikit-learn = sklearn; xgboost; lightgbm; catboost; numpy; pandas; polars;
  scipy; matplotlib = pyplot; seaborn; bokeh; streamlit; gradio; ~dash = plotly dash;
  hugging face = huggingface; ~transformers = hf transformers; diffusers; langchain; langgraph;
  llamaindex = llama index, llama_index; crewai; autogen; dspy; semantic kernel; ~haystack; pydantic ai;
  openai agents sdk; vercel ai sdk = ai sdk; ollama; vllm; llama.cpp; lm studio; sglang; litellm; comfyui;
  onnx = onnxruntime, onnx runtime; tensorrt; openvino; rocm; mlflow; dvc; ~ray = ray serve; dask;
  opencv = cv2; spacy; nltk; gensim; sentence transformers = sbert; fastembed; tiktoken;
  mcp = model context protocol; !RAG; !LoRA = qlora; triton; deepspeed; megatron; peft; unsloth; statsmodels;
  networkx; optuna; ultralytics; mediapipe; paddlepaddle = paddle; mindspore;
  rest api = rest apis, restful, restful api, !REST; graphql = gql, apollo graphql;
  ~apollo = apollo client, apollo server; ~relay = relay modern; grpc;
  websocket = websockets, web socket, web sockets; !SSE = server-sent events, server sent events; mqtt; amqp;
  !SOAP; json-rpc = jsonrpc; xml-rpc; oauth = oauth2, oauth 2.0; oidc = openid connect; saml;
  jwt = jwts, json web token; ldap; kerberos; ssh; tls = ssl, ssl/tls, mtls; tcp = tcp/ip; udp; quic;
  http/2 = http2; http/3 = http3; dns; dhcp; smtp; imap; ftp; sftp; rsync; nfs; cors;
  lsp = language server protocol; modbus; zigbee; bluetooth = ble; can bus; opc ua; webauthn = passkeys; rpc;
  webhook = webhooks; pub/sub = pubsub; protobuf = protocol buffers; ~thrift = apache thrift; avro; parquet;
  ~arrow = apache arrow, pyarrow; msgpack = messagepack; json; yaml = yml; toml; xml; csv; openapi; asyncapi;
  json schema; markdown = mdx; svg; ndjson = jsonl; linux; ubuntu; debian; centos; ~fedora; rhel;
  arch linux = archlinux; alpine linux = ~alpine; nixos; macos = mac os, osx, os x;
  ~windows = windows 10, windows 11, win32; wsl = wsl2; android = 安卓; ios; ipados; watchos; visionos;
  harmonyos = 鸿蒙; freebsd; raspberry pi = raspberrypi; ~unity = unity3d, unity engine;
  unreal engine = ue5, ue4; godot; ~bevy; ~blender; pygame; sdl = sdl2; opengl; vulkan; directx = directx 12;
  ~metal; ~qt = qt5, qt6; gtk = gtk4; tkinter; pyqt = pyqt5, pyqt6; pyside = pyside6; wxpython; kivy; tauri;
  wpf; winforms; ~maui = .net maui; arduino; esp32; stm32; freertos; !ROS = ros2; chrome = google chrome;
  chrome extension; chromium; firefox; ~safari; !ARM = arm64, aarch64; x86 = x86_64, amd64; risc-v = riscv;
  ethereum = evm; solana; hardhat; ~foundry; ethers.js = ethersjs; web3.js = web3js; viem; wagmi; bitcoin;
  ipfs; nvidia; wayland; x11; nextauth = auth.js, authjs; ffmpeg; imagemagick; pandoc; tmux; curl; wget; jq;
  ripgrep; scrapy; beautifulsoup = bs4; swagger; sphinx; mkdocs; docusaurus; vitepress; hugo; jekyll;
  changesets; semantic-release; conventional commits; openssl; gdb; lldb; valgrind; pydub; ~pillow; openpyxl;
  ~~rich; typer; ~~click; argparse; tqdm; loguru; ~winston; ~pino
"""


class Names(NamedTuple):
    """The table, parsed.

    Attributes:
        singles: lower-case name -> (canonical, how certain, exact spelling that makes it certain or "").
        phrases: first word -> further words, joined by blanks -> canonical ("" where a longer name goes on).
        foreign: names in other scripts -> canonical.
        any_foreign: finds one of them, the longest first.
        kinds: canonical -> kind.
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
        kind, _, entries = row.partition(": ")
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
