"""Secrets: found and replaced wherever they stand; look-alikes left alone.

Every secret here is put together at run time, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
from itertools import pairwise

import pytest
from clock import cpu_seconds
from examples import examples
from hypothesis import given, strategies as st

from memory.conversation.redaction.redacting import find_secrets, redact, search_secrets

ALNUM = "a8Kq2Zt7Lw4Xv9Bn3Rm6Yc1Hd5Jf0Gs8Pk2Qe7Ut4Wi9Oz3"
HEXES = "3fa91c07be52d648e1f09ac7b3d5286410fe9a7cb8d2e563417a0c9fd8b6e254" * 3
DIGITS = "4815162342108"


def alnum(n: int) -> str:
    return (ALNUM * 8)[:n]


def hexes(n: int) -> str:
    return HEXES[:n]


def segment(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def jwt() -> str:
    return ".".join((segment('{"alg":"HS256","typ":"JWT"}'), segment('{"sub":"1234567890"}'), alnum(43)))


def pem(kind: str = "RSA ", *, newline: str = "\n") -> str:
    body = newline.join(alnum(64) for _ in range(4))
    return f"-----BEGIN {kind}PRIVATE KEY-----{newline}{body}{newline}-----END {kind}PRIVATE KEY-----"


KEYS = {
    "openai-key": "sk-" + alnum(48),
    "openai-key project": "sk-" + "proj-" + alnum(40) + "_" + alnum(30),
    "anthropic-key": "sk-" + "ant-api03-" + alnum(80) + "-AA",
    "openrouter-key": "sk-" + "or-v1-" + hexes(64),
    "aws-access-key": "AK" + "IA" + "IOSFODNN7Q2ZTLWX",
    "aws-access-key session": "AS" + "IA" + "IOSFODNN7Q2ZTLWX",
    "google-api-key": "AI" + "za" + alnum(35),
    "google-oauth-secret": "GOC" + "SPX-" + alnum(28),
    "google-oauth-token": "ya" + "29." + alnum(60),
    "github-token": "gh" + "p_" + alnum(36),
    "github-token fine-grained": "github" + "_pat_" + alnum(22) + "_" + alnum(59),
    "github-token app": "gh" + "s_" + alnum(36),
    "gitlab-token": "gl" + "pat-" + alnum(20),
    "slack-token": "xo" + "xb-" + DIGITS + "-" + DIGITS + "-" + alnum(24),
    "slack-app-token": "xa" + "pp-1-A0" + DIGITS + "-" + hexes(40),
    "stripe-key": "sk" + "_live_" + alnum(24),
    "stripe-key restricted": "rk" + "_live_" + alnum(24),
    "stripe-webhook-secret": "wh" + "sec_" + alnum(32),
    "twilio-key": "S" + "K" + hexes(32),
    "sendgrid-key": "S" + "G." + alnum(22) + "." + alnum(43),
    "npm-token": "np" + "m_" + alnum(36),
    "pypi-token": "py" + "pi-AgEIcHlwaS5vcmc" + alnum(60),
    "huggingface-token": "h" + "f_" + alnum(34),
    "telegram-token": "AA" + alnum(33),
    "discord-token": "M" + alnum(23) + "." + alnum(6) + "." + alnum(38),
    "digitalocean-token": "do" + "p_v1_" + hexes(64),
    "heroku-key": "HR" + "KU-" + alnum(60),
    "mailgun-key": "ke" + "y-" + hexes(32),
    "mailchimp-key": hexes(32) + "-u" + "s12",
    "shopify-token": "shp" + "at_" + hexes(32),
    "square-token": "sq0" + "atp-" + alnum(22),
    "linear-key": "lin" + "_api_" + alnum(40),
    "notion-token": "nt" + "n_" + alnum(46),
    "figma-token": "fi" + "gd_" + alnum(40),
    "airtable-token": "pa" + "t" + alnum(14) + "." + hexes(64),
    "postman-key": "PM" + "AK-" + hexes(24) + "-" + hexes(34),
    "supabase-token": "sb" + "p_" + hexes(40),
    "databricks-token": "da" + "pi" + hexes(32),
    "groq-key": "gs" + "k_" + alnum(52),
    "replicate-token": "r" + "8_" + alnum(37),
    "docker-token": "dckr" + "_pat_" + alnum(27),
    "vault-token": "hv" + "s." + alnum(24),
    "grafana-token": "gl" + "sa_" + alnum(32) + "_" + hexes(8),
    "alibaba-access-key": "LT" + "AI" + alnum(20),
    "tencent-secret-id": "AK" + "ID" + alnum(32),
    "jwt": jwt(),
    "private-key": pem(),
    "private-key openssh": pem("OPENSSH "),
    "private-key plain": pem(""),
    "private-key in JSON": pem("", newline="\\n"),
    "slack-webhook": "hooks.slack" + ".com/services/T0" + alnum(8) + "/B0" + alnum(8) + "/" + alnum(24),
    "discord-webhook": "discord" + ".com/api/webhooks/" + DIGITS + "12345/" + alnum(68),
    "terraform-token": alnum(14) + ".atlas" + "v1." + alnum(60),
    "azure-client-secret": alnum(3) + "8Q" + "~" + alnum(34),
}


AROUND = (
    "use {} please",
    "{}",
    "KEY={}\n",
    '{{"a": "{}"}}',
    "密钥是{}，别外传",
    "first line\\n{}\\nlast",
    "`{}`.",
    "({})",
)


@pytest.mark.parametrize("name", KEYS)
def test_keys_of_providers_are_found_by_their_form(name):
    key = KEYS[name]
    before = DIGITS[:9] + ":" if name.startswith("telegram") else ""
    for around in AROUND:
        cleaned = redact(around.format(before + key))
        assert key[-12:] not in cleaned, around
        assert f"[REDACTED:{name.split(' ')[0]}]" in cleaned, around
        assert redact(cleaned) == cleaned, around


PASSWORD = "Tr0ub4dor" + "&3"
WORD = "sword" + "fish"
PLAIN = "hunter" + "2"
TOKEN = alnum(40)

LABELLED = [
    ("the password is {}", PASSWORD),
    ("my password is {}.", WORD),
    ("Password: {}", PLAIN),
    ("- password: {}\n- user: bob", WORD),
    ("login as bob, pw: {}", PLAIN),
    ('password = "{}"', PASSWORD),
    ("{{'password': '{}'}}", WORD),
    ("DB_PASSWORD={}", WORD),
    ("export PGPASSWORD={}\n", PLAIN),
    ("db.password: {}", PASSWORD),
    ("set the password to {}", PASSWORD),
    ("the password for staging is {}", PLAIN),
    ("the db password should be {}", PASSWORD),
    ('the passphrase is "{}"', "correct horse battery staple"),
    ("username/password: admin/{}", PLAIN),
    ("password 是 {}", PLAIN),
    ("密码是{}", PLAIN),
    ("密码必须是 {}", PLAIN),
    ("password: {} token abc", "blue" + "Horse42"),
    ("密码：{}", "123456"),
    ("Email__Gmail__Pass={}", "abcd efgh ijkl mnop"),
    ('app password: "{}"', "wxyz abcd efgh ijkl"),
    ("数据库密码为{}，端口3306", PASSWORD),
    ("账号admin 密码{}", PLAIN),
    ("密码改为 {}", WORD),
    ("口令是“{}”", "芝麻开门"),
    ("密钥：{}", alnum(32)),
    ("令牌是 {}", alnum(24)),
    ("パスワードは{}です", PLAIN),
    ("пароль: {}", PLAIN),
    ("la contraseña es {}", PLAIN),
    ("das Passwort ist {}", PLAIN),
    ("le mot de passe est {}", PLAIN),
    ("API_KEY={}", TOKEN),
    ("api_key: {}", TOKEN),
    ('"apiKey": "{}"', TOKEN),
    ("the api key is {}", TOKEN),
    ("our API key: {}", hexes(32)),
    ("FOO_SECRET={}", alnum(20)),
    ("STRIPE_WEBHOOK_SECRET='{}'", alnum(30)),
    ("client_secret={}", alnum(30)),
    ("aws_secret_access_key = {}", alnum(20) + "/" + alnum(19)),
    ("DD_API_KEY={}", hexes(32)),
    ("CLOUDFLARE_API_TOKEN={}", alnum(40)),
    ("HEROKU_API_KEY=" + "{}", "-".join((hexes(8), hexes(4), hexes(4), hexes(4), hexes(12)))),
    ("TWILIO_AUTH_TOKEN: {}", hexes(32)),
    ("JWT_SECRET={}", "keep" + "-this-quiet-42"),
    ("access_token={}&x=1", TOKEN),
    ("https://api.example.com/v1?api_key={}", TOKEN),
    ("https://maps.example.com/js?key={}&v=3", TOKEN),
    ("postgresql://app:{}@db.internal:5432/app", PASSWORD.replace("&", "!")),
    ("mongodb+srv://root:{}@cluster0.mongodb.net/x", PLAIN),
    ("redis://:{}@localhost:6379/0", PLAIN),
    ("amqp://svc:{}@mq", "p@ss" + "w0rd1"),
    ("https://bob:{}@git.example.com/x.git", PLAIN),
    ("mysql://root:{}@127.0.0.1/db 连不上", WORD),
    ("Authorization: Bearer {}", TOKEN),
    ('-H "authorization: token {}"', TOKEN),
    ('{{"Authorization": "Basic {}"}}', base64.b64encode(b"user:hunter2-hunter2").decode()),
    ("use bearer {} for it", TOKEN),
    ("X-Api-Key: {}", TOKEN),
    ("curl -u bob:{} https://x.example", PLAIN),
    ("Cookie: theme=dark; sessionid={}", alnum(32)),
    ("Set-Cookie: connect.sid={}; Path=/", "s%3A" + alnum(40)),
    ("DefaultEndpointsProtocol=https;AccountKey={};x", alnum(86) + "=="),
    ("https://a.blob.core.windows.net/c?sv=2022&sig={}", alnum(43) + "%3D"),
    ("//registry.npmjs.org/:_authToken={}", TOKEN),
    ("spring.datasource.password={}", PLAIN),
    ("--password {}", PLAIN),
    ('ConnectionString="Host=db;Username=admin;Password={};"', PLAIN),
    ("mysql -uroot -p{} app", PLAIN),
    ("requirepass {}", PLAIN),
    ("use the token {} from now on", TOKEN),
    ("always use password {} for the harbour account", PLAIN),
    ("remember the passphrase {}", PASSWORD),
    ("remember the password '{}'", "light" + "house"),
    ("the password will always be {}", PLAIN),
    ("the password of the harbour master is always {}", PLAIN),
    ("the password for the two cranes on the pier is {}", PLAIN),
    ("set the password to {} for the new boat and it is fine", PLAIN),
    ("password for the docks: {} - keep it", WORD),
    ("log in with user pilot@port.org and password: {}", WORD),
    ("user=pilot password={}", WORD),
    ("host=db password={} dbname=tides", WORD),
    ("?user=pilot&password={}&x=1", WORD),
    ("use the API key {} for the tides", hexes(32)),
    ("the secret {} belongs to the dock", alnum(20)),
    ("the aws secret {} is for the tides", alnum(20) + "/" + alnum(19)),
    ("remember the signing key {}", TOKEN),
    ("the key to the tide service is {}", TOKEN),
    ("the VPN key is {}", "7b3a-19bc-41de-" + "aa02"),
    ("set the JWT to {}", TOKEN),
    ("HARBOUR_JWT={}", TOKEN),
    ("export HARBOUR_KEY={}", alnum(12)),
    ("the PIN is {}", "48" + "21"),
    ("the pin code of the gate is {}", "48" + "2193"),
    ("seed phrase: {}", "ladder cannon harbor velvet zebra orbit mango tunnel frozen copper window salad"),
    ("以后密码都用 {}", PLAIN),
    ("密码一直是 {}", PLAIN),
    ("口令统一用 {}", PASSWORD),
    ("以后 token 都用 {}", TOKEN),
    ("私钥 {}", TOKEN),
    ("パスワードは必ず {} を使って", PLAIN),
    ("トークンは {} を使って", TOKEN),
    ("la clave siempre es {}", PLAIN),
    ("запомни токен {}", TOKEN),
    ("docker login -u pilot -p {} quay.io", PASSWORD),
    ("az login --service-principal -u a -p {} --tenant t", "Tide" + "77xxZ"),
    ("gh secret set TIDES --body {}", "Tide" + "77xxZ"),
    ("npm config set //npm.port.org/:_authToken {}", "Tide" + "77xxZ"),
    ("kubectl create secret generic t --from-literal=who=bob \\\n  --from-literal='key={}'", "Tide" + "77xxZ"),
    ("vault kv put secret/tide who=bob value={}", "Tide" + "77xxZ"),
    ("tide --auth-key={} run", TOKEN),
    ("tide -password {} run", PLAIN),
    ("smbclient //h/s -U 'pilot%{}'", "Tide" + "77xxZ"),
    ("he said: {}, and left", TOKEN),
    ("seal it with {}.", alnum(32)),
    ("把 {} 发给码头", TOKEN),
    ("HARBOUR={}", TOKEN),
]


@pytest.mark.parametrize(("text", "secret"), LABELLED, ids=[t for t, _ in LABELLED])
def test_values_behind_a_label_are_replaced_and_the_label_stays(text, secret):
    full = text.format(secret)
    cleaned = redact(full)
    assert secret not in cleaned
    assert "[REDACTED:" in cleaned
    assert cleaned.split("[REDACTED:")[0] == full.split(secret)[0]
    assert cleaned.endswith(full.split(secret)[-1])
    assert redact(cleaned) == cleaned


LOOK_ALIKES = [
    "commit " + hexes(40) + " and " + hexes(7),
    "id 3fa91c07-be52-4d64-8e1f-09ac7b3d5286 not found",
    "sha256:" + hexes(64),
    '"integrity": "sha512-' + alnum(86) + '=="',
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" + alnum(200),
    "version 1.2.3-beta.4+build.5678",
    "API_KEY=YOUR_API_KEY",
    "api_key: <your-api-key>",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "OPENAI_API_KEY=sk-your-key-here-your-key-here",
    "token: ${TOKEN}",
    "password: {{ db_password }}",
    'key = os.environ["API_KEY"]',
    "const token = process.env.GITHUB_TOKEN;",
    "api_key=os.getenv('X'), token=settings.token",
    "password = getpass.getpass()",
    "secret: ********",
    "PASSWORD=",
    "add a password field to the form",
    "the password must be at least 8 characters",
    "the password is hashed with bcrypt",
    "the password is required",
    "the password should be 8-20 characters",
    "password: string;",
    "def login(user: str, password: str) -> Token:",
    "password: Optional[str] = None",
    "token: null, secret: true",
    "密码长度至少8位",
    "密码是必填的",
    "密码是 string 类型",
    "密码是8位以上",
    "密码必须是8位以上",
    "password: 8 characters at least",
    "忘记密码页面的密码输入框",
    "密钥是RSA-2048",
    "color: #ff00aa; background: #123456",
    "write to bob.smith@example.com",
    "http://localhost:3000/api and https://example.com:8443/x@y",
    "redis://localhost:6379/0",
    "postgresql://user:password@localhost/db",
    "postgres://user:${DB_PASS}@host/db",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + alnum(300) + " bob@host",
    "-----BEGIN PUBLIC KEY-----\n" + alnum(64) + "\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + alnum(64) + "\n-----END CERTIFICATE-----",
    "max_tokens: 4096, token_count=17, tokens=1000",
    "the token is expired, refresh the token",
    "primary_key=id, foreign_key: user_id, cache_key = build_key(user)",
    "sk-folding-cube-animation-container and sk-fading-circle-loading",
    "npm_config_registry_default_location",
    "order 4815162342 from 2024-01-02T03:04:05Z",
    "call +49 170 1234567",
    "pk_live_" + alnum(24),
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "Basic authentication is enough here",
    "compass: north, bypass=true, passing: 12, passed: 340",
    "secret garden; the secret is out",
    "keyboard: qwertz123456, monkey=12345678",
    "s3://bucket/path/to/" + hexes(32) + ".parquet",
    "0x" + hexes(40),
    "req_" + alnum(20) + " run_" + alnum(20),
    "call toolu_" + alnum(24) + " failed",
    "pass: 12, fail: 3",
    "tests passed: 12 password tests",
    'label="Password" placeholder="Enter your password"',
    "eyJust a word",
    "import { tokenValidator } from './token'",
    "token = generateToken(user.id)",
    "return self.password == other.password",
    "user_password = form.password.data",
    "the secret key is stored in AWS Secrets Manager",
    "rename the token to accessToken",
    "the API key is missing in config.yaml",
    "api_key: str = Field(default='')",
    "[REDACTED:openai-key]",
    "password is [REDACTED:password]",
    "the password is only used once when you log in",
    "Password: this must stay here for ever",
    "next_page_token=" + alnum(30),
    "UUID=3fa91c07-be52-4d64-8e1f-09ac7b3d5286 /boot ext4",
    "Bearer authentication-scheme-required",
    "token: 5a",
    "src/components/password/ResetPasswordForm.tsx:12",
    "line 12: password = None",
    "password=password, token=token",
    "PWD=/home/user2/app",
    "Version=9.0.0.0, PublicKeyToken=" + hexes(16),
    "[OK] API Key: prod_user_44...",
    "the token count is 4000 per call",
    "add a password field2 and a token v2.3.1",
    "use the password manager, password hashing and token based auth",
    "always use password-protected archives",
    "remember the password rules",
    'use password "reset" as the route',
    "the password policy of the harbour is always strict",
    "the passphrase is never stored",
    "the password is on page 22ab of the manual",
    "the JWT is RS256-signed, the token is base64-encoded",
    "HARBOUR_JWT=\\nHARBOUR_API_TOKEN=\\nHARBOUR_URL=wss://x",
    "pass `strict2=True` or v1beta22 to it",
    "press key ctrl2, use key user_id_2024 of the map",
    "the key is 42",
    '"figma_file_key": "' + alnum(22) + '"',
    "login(user=name, password=plain)",
    "f(a,\n    password=plain,\n)",
    "self.password=plain;",
    "<input type=password name=a>",
    "[sudo] password for bob: Get:1 http",
    "密码统一用 argon2 存储，token 用 localStorage 存",
    "パスワードは必ず 8 文字以上",
    "la clave es tener paciencia; palabras clave: barco2024",
    "PIN 4 of the chip, GPIO pin 1234, pin the version to 2024; the PIN is 4 digits",
    "the seed phrase must be shown once before anything else happens with these boats here today",
    "docker run -p 8080:80 nginx22 && ssh login -p 2222",
    "kubectl create configmap c --from-literal=mode=Fast2Mode9",
    "gh variable set MODE --body Fast2Mode9",
    "npm config set registry https://npm.port.org",
    "tide --token-count 4000 --secret-name tide22prod --password-file /run/x1",
    "ThisIsAVeryLongClassName2OfBoatsWithManyWords3Inside",
    "test_Foo1_Bar2_Baz3_Qux4_Quux5_Corge6",
    "2024-01-02T03-04-05Z-Run12-BatchA-NodeB-Zone3C",
    "BoatFeatureClient_" + hexes(32),
    "index-" + alnum(40) + ".js, src/" + alnum(40) + "/x, https://port.org/a?v=" + alnum(40),
    "boats/core.py,sha256=" + alnum(43) + ",204",
    "integrity sha384-" + alnum(64),
    "-----BEGIN CERTIFICATE-----\n" + "\n".join((alnum(64), alnum(64), alnum(36))),
    "commit id: " + alnum(40) + ' and {"nodeId": "' + alnum(40) + '"}',
    "toolu_bdrk_01" + alnum(22) + " chatcmpl-" + alnum(29),
    "the mint is " + alnum(60).replace("0", "").replace("O", "")[:44],
    "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_look_alikes_are_left_alone(text):
    assert find_secrets(text) == ()
    assert redact(text) is text


def test_what_may_hold_no_secret_is_told_by_its_letters():
    assert search_secrets("Fix the login page, then run the tests - all of them.") is None
    assert search_secrets("请修复登录页面") is None
    assert all(search_secrets(f"it is {key}") is not None for key in KEYS.values())


def test_overlapping_readings_become_one_span_with_the_more_specific_kind():
    key = KEYS["github-token"]
    text = f"GITHUB_TOKEN={key} and https://bob:{key}@github.com"
    assert [s.kind for s in find_secrets(text)] == ["github-token", "github-token"]
    assert all(text[s.start : s.end] == key for s in find_secrets(text))


def test_several_secrets_in_one_text_are_all_replaced():
    text = f"密码是{PLAIN}，key {KEYS['openai-key']}，库 postgres://a:{PASSWORD.replace('&', '-')}@db/x"
    cleaned = redact(text)
    assert (
        cleaned
        == "密码是[REDACTED:password]，key [REDACTED:openai-key]，库 postgres://a:[REDACTED:url-password]@db/x"
    )


FRAGMENTS = st.sampled_from(
    [
        *KEYS.values(),
        *(t.format(s) for t, s in LABELLED),
        *LOOK_ALIKES,
        " ",
        "\n",
        "=",
        ":",
        "password",
        "token",
        "是",
        '"',
    ]
)


@examples(300)
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=12)), max_size=6).map("".join))
def test_redacting_twice_changes_nothing_and_spans_are_in_order(text):
    spans = find_secrets(text)
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    cleaned = redact(text)
    assert redact(cleaned) == cleaned


@pytest.mark.timing
@pytest.mark.parametrize(
    "unit",
    ["a", "A", "=", alnum(48) + "+/", "eyJ", "sk-", "://a:", "password ", "token=", "-----BEGIN " + "PRIVATE KEY-----",
     "密码", "密码是", " ", "Bearer ", "cookie: sid=", "key-", "a.b-", "Authorization: ", "pass pass:", "\n",
     "password for ", "create secret -", "vault put a ", "seed phrase ", "is password a1 ", "-pass-", alnum(40) + " "],
)  # fmt: skip
def test_time_is_linear_in_the_length_of_one_thing(unit):
    quarter, whole = (unit * (size // len(unit)) for size in (100_000, 400_000))
    assert seconds(whole) < 40 * max(seconds(quarter), 0.02)


def seconds(text: str) -> float:
    return cpu_seconds(lambda: redact(text))
