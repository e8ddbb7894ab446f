"""Forms in which secrets are written, for these tests, each with a value of its own; and what only looks like them.

Every value is made up at run time.
"""

from __future__ import annotations

import base64
import json
from itertools import count, cycle

_numbers = count(100)
_LETTERS = "qKwZtLxVnBmRcHdJfGsPkYe"


def password():
    """Letters, digits and marks."""
    n = next(_numbers)
    return f"{_LETTERS[n % 19]}{_LETTERS[n % 23]}{n}" + next(_MARKS) + "Wq9" + _LETTERS[n % 17] + "z"


def word():
    """Small letters and digits, as people choose them."""
    n = next(_numbers)
    return next(_WORDS) + str(n)


def token():
    """As a service makes them."""
    n = next(_numbers)
    return f"{n}Zb" + "".join(_LETTERS[(n * 7 + i * i + 3 * i) % 23] + str((n + i * 3) % 10) for i in range(14))


_MARKS = cycle("!#%+*^~@")
_WORDS = cycle(("hunter", "dragon", "falcon", "sunset", "winter"))

PASSWORD_LABELS = ("password", "DB_PASSWORD", "dbPassword", "passwd", "smtp_pass", "passphrase")
KEY_LABELS = ("api_key", "apiKey", "STRIPE_SECRET_KEY", "access_token", "auth-token", "client_secret")
FOREIGN_LABELS = ("密码", "口令", "密钥", "令牌", "пароль", "contraseña", "パスワード")


def _in_formats(label, value):
    """One label with a value in the formats of files and programs."""
    yield f"{label}={value}"
    yield f"export {label}={value}\n"
    yield f"{label}: {value}\n"
    yield f'{label}: "{value}"\n'
    yield f'[service]\nurl = "http://x"\n{label} = "{value}"\n'
    yield json.dumps({"host": "db", label: value})
    yield json.dumps({"a": [{"deep": {label: value, "n": 1}}]}, indent=2)
    yield f"it answered {json.dumps(json.dumps({label: value}))}"
    yield "log: " + json.dumps(json.dumps(json.dumps({"body": {label: value}})))
    yield f"<config><{label}>{value}</{label}></config>"
    yield f'<add key="{label}" value="{value}" />'
    yield f"env:\n  - name: {label}\n    value: {value}\n"
    yield f"FROM python:3.12\nENV {label} {value}\n"
    yield f"connect(host='db', {label}='{value}')"
    yield f"- {label} = {value}  # prod"


def _labelled():
    for labels, make in ((PASSWORD_LABELS, password), (KEY_LABELS, token)):
        formats = len(list(_in_formats("x", "y")))
        for at in range(formats):
            for label in labels[at % 2 :: 2]:
                value = make()
                yield list(_in_formats(label, value))[at], value
    for label in FOREIGN_LABELS:
        for form in ("{}：{}", '{{"{}": "{}"}}', "{}: {}", "{}是 {}"):
            if form == "{}是 {}" and label not in ("密码", "口令"):
                continue
            value = password()
            yield form.format(label, value), value
    value = word()
    yield json.dumps({"密码": value}), value


def _written_out():
    """Forms of their own; `{}` is the value."""
    made = (
        (word, "use admin with password {}"),
        (password, "use admin with password {}"),
        (password, "Log in as bob@example.com using password {} please."),
        (word, "login: admin / {}"),
        (password, "admin / {}"),
        (word, "The credentials are demo / {}."),
        (word, "staging credentials: deploy:{}"),
        (word, "登录账号 admin / {}"),
        (word, "machine api.example.com login bob password {}"),
        (password, "machine git.example.com\n  login bob\n  password {}\n"),
        (password, "CREATE USER app IDENTIFIED BY '{}';"),
        (password, "CREATE ROLE app WITH LOGIN PASSWORD '{}';"),
        (password, "pass\u200bword: {}"),
        (token, "api\u200b_key={}"),
        (password, "p\u00adassword = {}"),
        (token, '[api]\nurl = "https://x"\nkey = "{}"\n'),
        (token, "[openai.api]\nkey={}\n"),
        (token, "api:\n  url: https://x\n  key: {}\n"),
        (password, "curl -u bob:{} https://x.example/y"),
        (token, "curl -H 'X-Api-Key: {}' https://x"),
        (token, 'curl -H "Authorization: Bearer {}" https://x'),
        (token, "curl --header 'X-Vault-Token: {}'"),
        (word, "postgresql://app:{}@db:5432/app"),
        (token, "https://oauth2:{}@git.example.com/a/b.git"),
        (token, "GET /v1/items?api_key={}&page=2"),
        (word, "mysql -uroot -p{} app"),
        (word, "sshpass -p {} ssh bob@host"),
        (password, "docker login -u bob --password {} registry.example.com"),
        (token, "//npm.example.com/:_authToken={}"),
        (token, "setx OPENAI_API_KEY {}"),
        (token, "set -x GITHUB_TOKEN {}"),
        (word, "Server=db;User Id=sa;Password={};Encrypt=yes"),
        (password, "<property name=&quot;password&quot; value=&quot;{}&quot;/>"),
        (password, "spring.datasource.password={}"),
        (password, "the password for staging is {}"),
        (word, "my password is {}, keep it"),
        (password, "password: '{}'  # quotes inside: it's fine"),
        (token, "TOKEN={}\\nNEXT=1"),
        (password, 'it printed {{\\"user\\": \\"bob\\", \\"password\\": \\"{}\\"}}'),
        (token, '{{\\"api_key\\": \\"{}\\"}}'),
        (password, '{{"\\u5bc6\\u7801": "{}"}}'),
        (token, "Cookie: theme=dark; sessionid={}"),
    )  # fmt: skip
    for make, form in made:
        value = make()
        yield form.format(value), value
    for form in (
        '{{"auths": {{"https://index.docker.io/v1/": {{"auth": "{}"}}}}}}',
        "//r.example.com/:_auth={}",
    ):
        value = base64.b64encode(f"bob:{password()}".encode()).decode()
        yield form.format(value), value
    value = base64.b64encode(b"-----BEGIN EC " + b"PRIVATE KEY-----\n" + token().encode() * 20).decode()
    yield f"users:\n- name: admin\n  user:\n    client-key-data: {value}\n", value


FORMS = [*_labelled(), *_written_out()]
"""Texts with a secret, and the secret."""


def inputs():
    """Yield inputs of tools with a secret, and the secret."""
    for label in (*PASSWORD_LABELS, *FOREIGN_LABELS[:2]):
        value = word()
        yield {"host": "db", label: value}, value
    for label in KEY_LABELS:
        value = token()
        yield {"config": {"env": {label: value}}}, value
    value = word()
    yield {"env": [{"name": "DB_PASSWORD", "value": value}]}, value
    value = token()
    yield {"api": {"key": value}}, value
    value = word()
    yield {"passwords": {}, "password": [value, "x"]}, value
    value = str(next(_numbers)) * 3
    yield {"password": int(value)}, value
    value = word()
    yield {"command": ["curl", "-u", f"bob:{value}", "-H", "Accept: text/html", "https://x"]}, value
    value = word()
    yield {"command": ["mysql", "-uroot", f"-p{value}"]}, value
    value = 'it"s ' + "4'me\\" + str(next(_numbers))
    yield {"body": json.dumps({"smtp": {"password": value.replace(" ", "")}})}, value.replace(" ", "")
    for form in (json.dumps, lambda v: json.dumps(json.dumps(v))):
        value = token()
        yield {"content": form({"api_key": value, "n": 1})}, value
    value = base64.b64encode(f"bob:{password()}".encode()).decode()
    yield {"auths": {"ghcr.io": {"auth": value}}}, value


_HEX = "3fa91c07be52d648e1f09ac7b3d5286410fe9a7c"
LOOK_ALIKES = [
    f"commit {_HEX}",
    f"reset to {_HEX[:9]} / {_HEX[9:18]}",
    "id 3fa91c07-be52-4d64-8e1f-09ac7b3d5286",
    '{"key": "3fa91c07-be52-4d64-8e1f-09ac7b3d5286", "name": "row"}',
    f'lodash@^4.17.21:\n  resolved "https://x/l.tgz#{_HEX}"\n  integrity sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLG==',
    f'{{"name": "left-pad", "hash": "{_HEX}"}}',
    f'checksum = "{_HEX}{_HEX[:24]}"',
    "password = get_password()",
    "password: str",
    "password: str = Field(min_length=8)",
    '{"password": "string", "token": "string"}',
    '{"password": "Password is required"}',
    '{"type": "password", "name": "password", "placeholder": "Your password"}',
    '{"properties": {"password": {"type": "string", "minLength": 8}}}',
    '{"token_count": 8000, "max_tokens": 4096, "key": "name"}',
    '{"key": "status", "value": "active2"}',
    '{"name": "retries", "value": "30000ms"}',
    '{"password": null, "token": false, "secret": 12}',
    "token count / 8000",
    "tokens: 1200 / 8000",
    "admin / user roles",
    "admin / editor / viewer",
    "root / home / bob",
    "login / logout buttons",
    "sign in with GitHub / GitLab",
    "the account page / settings2",
    "user / group 1000",
    "cred: see docs/login2.md",
    "credentials live in vault: path/to/them",
    "use the password field, with password rules from docs",
    "login with password or passkey",
    "test login with password reset2",
    "with password hashing via bcrypt",
    "with password sha256 digests",
    "using password_hash2 as the column",
    "identified by id number",
    "machine learning login flow password rules",
    "input[type=password] { color: #ff00aa; }",
    ".token-string1 { margin: 0 2px }",
    "<label>Password</label>",
    "<password>required</password>",
    '<input name="password" type="password" value=""/>',
    '<string name="login">Sign in</string>',
    '<add key="PageSize" value="25x2b" />',
    '<add key="ApiUrl" value="https://api.example.com/v2" />',
    "ENV PYTHONUNBUFFERED 1",
    "ENV PATH /opt/app2/bin:$PATH",
    "ENV API_KEY ${API_KEY}",
    "ARG TOKEN_FILE=/run/secrets/token1",
    "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db\n        key: password\n",
    "env:\n  - name: MODE\n    value: prod2\n",
    '[tool.ruff]\nkey = "name"\n',
    '[api]\nkey = "name"\nurl = "https://x"\n',
    '[[items]]\nkey = "a1b2c3d4e5f6a7b8"\n',
    "columns:\n  key: a1b2c3d4e5f6\n",
    "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM=",
    '{"auth": "required", "auth2": "YWJjZGVmZ2hpamtsbW5vcA=="}',
    "auth: oauth2-proxy-2023",
    "auth = AuthService2(config)",
    "C:\\new\\token\\readme2.txt",
    'print("password:\\n")',
    're.compile(r"password\\s*=\\s*(\\S+)")',
    "/users/{id}/password/reset2",
    "const { password, token } = req.body;",
    '["--password-file", "/run/secrets/db1", "-v"]',
    "the family emoji \U0001f468\u200d\U0001f469\u200d\U0001f467 stays",
    "a&amp;b &lt;password&gt; field",
    "密码 / 用户名 不能为空",
    '{\\"password\\": \\"string\\"}',
    """env={API_KEY="'$API_KEY_2024'", B="$C"}""",
    "ASKPASS=/home/user/PASSWD\n\ngrep2run9 | wc",
    "Xy7!pq9Z is the name of a star",
]  # fmt: skip
