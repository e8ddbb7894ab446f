"""What terminals, test runners, compilers, servers and browsers print, as people paste it: no word of theirs in it."""
# ruff: noqa: E501  # what programs print is as long as it is

PASTES = {
    "python": """Traceback (most recent call last):
  File "/srv/app/main.py", line 88, in <module>
    main()
  File "/srv/app/main.py", line 71, in main
    return run(args, retries=3)
  File "/srv/app/jobs.py", line 12, in run
    result = worker.apply(item)
  File "/srv/app/worker.py", line 40, in apply
    return self.store.save(item, force=True)
  File "/srv/app/store.py", line 9, in save
    assert item.id, "item must have an id"
AssertionError: item must have an id""",
    "python_multi": """  File "/usr/lib/python3.11/asyncio/runners.py", line 190, in run
    return runner.run(main)
           ^^^^^^^^^^^^^^^^
  File "/app/bot.py", line 20, in main
    await client.start(token)
    if not token: raise LoginFailure("Improper token has been passed.")
discord.errors.LoginFailure: Improper token has been passed.""",
    "go": """panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a5b2c]

goroutine 1 [running]:
main.(*Server).Start(0x0)
\t/home/me/srv/server.go:42 +0x1c
main.main()
\t/home/me/srv/main.go:12 +0x2f
exit status 2""",
    "rust": """thread 'main' panicked at src/main.rs:4:18:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:617:5
   1: core::panicking::panic_fmt
   2: shop::cart::total
             at ./src/cart.rs:12:9
note: run with `RUST_BACKTRACE=full` for a verbose backtrace""",
    "ruby": """app/models/cart.rb:12:in `total': undefined method `price' for nil:NilClass (NoMethodError)
\tfrom app/controllers/carts_controller.rb:8:in `show'
\tfrom config/puma.rb:3:in `block in start'""",
    "php": """PHP Fatal error:  Uncaught TypeError: Cart::add(): Argument #1 ($item) must be of type Item, null given in /var/www/cart.php:12
Stack trace:
#0 /var/www/index.php(8): Cart->add(NULL)
#1 /var/www/kernel.php(40): handle(Object(Request))
#2 {main}
  thrown in /var/www/cart.php on line 12""",
    "csharp": """Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Cart.Total(Item item) in C:\\src\\Cart.cs:line 12
   at Shop.Program.Main(String[] args) in C:\\src\\Program.cs:line 5""",
    "elixir": """** (KeyError) key :price not found in: %{id: 1}
    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.total/1
    (elixir 1.15.0) lib/enum.ex:1693: Enum."-map/2-lists^map/1-0-"/2
    (shop 0.1.0) lib/shop.ex:5: Shop.run/0""",
    "pytest": """=================================== FAILURES ===================================
_________________________________ test_total __________________________________

    def test_total():
        cart = Cart()
        cart.add(Item(price=3))
>       assert cart.total() == 4
E       assert 3 == 4
E        +  where 3 = total()

tests/test_cart.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 3 == 4
========================= 1 failed, 12 passed in 0.31s =========================""",
    "jest": """ FAIL  src/cart.test.ts
  Cart
    ✓ adds items (3 ms)
    ✕ should never be negative (5 ms)
    ✕ must always return a total (1 ms)

  ● Cart › should never be negative

    expect(received).toBe(expected) // Object.is equality

    Expected: 0
    Received: -1

      10 |   it('should never be negative', () => {
    > 11 |     expect(cart.total()).toBe(0);
         |                          ^
      12 |   });

      at Object.<anonymous> (src/cart.test.ts:11:26)

Tests:       2 failed, 1 passed, 3 total""",
    "mocha": """  Cart
    1) should always keep the total
    √ must not be empty

  1 passing (12ms)
  1 failing

  1) Cart
       should always keep the total:
     AssertionError: expected 1 to equal 2""",
    "rspec": """Failures:

  1) Cart must never be negative
     Failure/Error: expect(cart.total).to eq(0)

       expected: 0
            got: -1
     # ./spec/cart_spec.rb:12:in `block (2 levels) in <top (required)>'

Finished in 0.01 seconds
1 example, 1 failure""",
    "tsc": """src/app.ts:12:7 - error TS2322: Type 'string' is not assignable to type 'number'.

12       const total: number = "3";
         ~~~~~
src/app.ts:14:3 - error TS2304: Cannot find name 'foo'.
Found 2 errors in the same file, starting at: src/app.ts:12""",
    "eslint": """/home/me/app/src/App.tsx
  12:7   error    'total' is assigned a value but never used         @typescript-eslint/no-unused-vars
  18:3   warning  Unexpected any. Specify a different type           @typescript-eslint/no-explicit-any
  21:9   error    Component should always be wrapped in memo         react/must-memo

✖ 3 problems (2 errors, 1 warning)""",
    "gcc": """main.c: In function 'main':
main.c:5:5: warning: implicit declaration of function 'foo' [-Wimplicit-function-declaration]
    5 |     foo();
      |     ^~~
/usr/bin/ld: /tmp/cc1.o: in function `main':
main.c:(.text+0xa): undefined reference to `foo'
collect2: error: ld returned 1 exit status
make: *** [Makefile:3: main] Error 1""",
    "gradle": """> Task :app:compileDebugKotlin FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileDebugKotlin'.
> Compilation error. See log for more details

* Try:
> Run with --stacktrace option to get the stack trace.
> Run with --info or --debug option to get more log output.

BUILD FAILED in 3s""",
    "maven": """[INFO] Scanning for projects...
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.8.1:compile
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.""",
    "docker": """#8 [4/6] RUN npm ci
#8 2.31 npm ERR! code EUSAGE
#8 2.31 npm ERR! The `npm ci` command can only install with an existing package-lock.json
#8 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
------
 > [4/6] RUN npm ci:
------
Dockerfile:12
--------------------
  10 |     COPY package.json ./
  11 |
  12 | >>> RUN npm ci
--------------------""",
    "kubectl": """NAME                    READY   STATUS             RESTARTS   AGE
web-7d4b9c-abcde        0/1     CrashLoopBackOff   5          3m
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Warning  BackOff    1m (x6 over 3m)    kubelet  Back-off restarting failed container""",
    "terraform": """│ Error: Unsupported argument
│\x20
│   on main.tf line 12, in resource "aws_s3_bucket" "b":
│   12:   acl = "private"
│\x20
│ An argument named "acl" is not expected here. You must remove it.""",
    "ansible": """TASK [Install nginx] ***********************************************************
fatal: [web1]: FAILED! => {"changed": false, "msg": "You must be root to perform this command."}
PLAY RECAP *********************************************************************
web1 : ok=1 changed=0 unreachable=0 failed=1""",
    "gitstatus": """On branch main
Your branch is ahead of 'origin/main' by 2 commits.
  (use "git push" to publish your local commits)

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
  (use "git restore <file>..." to discard changes in working directory)
\tmodified:   src/app.ts
\tdeleted:    src/old.ts

no changes added to commit (use "git add" and/or "git commit -a")""",
    "gitpush": """To github.com:me/shop.git
 ! [rejected]        main -> main (non-fast-forward)
error: failed to push some refs to 'github.com:me/shop.git'
hint: Updates were rejected because the tip of your current branch is behind
hint: its remote counterpart. Integrate the remote changes (e.g.
hint: 'git pull ...') before pushing again.
hint: See the 'Note about fast-forwards' in 'git push --help' for details.""",
    "gitlog": """commit 4f2c1a9e0b7d6c5a4f3e2d1c0b9a8f7e6d5c4b3a
Author: Ann <ann@example.org>
Date:   Mon Mar 3 10:00:00 2025 +0100

    Always use the new cart

    Never call the old API again.""",
    "gitdiff": """diff --git a/src/app.ts b/src/app.ts
index 1234567..89abcde 100644
--- a/src/app.ts
+++ b/src/app.ts
@@ -1,4 +1,4 @@
-// always use the old api
+// never use the old api
 export function run() {
-  return old();
+  return fresh();
 }""",
    "ls": """total 48
drwxr-xr-x  5 me me 4096 Mar  3 10:00 .
-rw-r--r--  1 me me  220 Mar  3 10:00 README.md
-rw-r--r--  1 me me 1024 Mar  3 10:00 never_touch_this.txt""",
    "ps": """  PID TTY          TIME CMD
 1234 pts/0    00:00:01 node
 1240 pts/0    00:00:00 use-this-daemon""",
    "curl": """*   Trying 127.0.0.1:8080...
* connect to 127.0.0.1 port 8080 failed: Connection refused
* Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server
* Closing connection 0
curl: (7) Failed to connect to localhost port 8080 after 0 ms""",
    "headers": """HTTP/1.1 500 Internal Server Error
Content-Type: application/json
X-Request-Id: abc
Cache-Control: no-store, must-revalidate

{"error":"you must provide a token","code":500}""",
    "sql": """ERROR:  null value in column "price" of relation "items" violates not-null constraint
DETAIL:  Failing row contains (1, null).
HINT:  You must provide a price.
SELECT id, name FROM items WHERE price > 3;""",
    "table": """| id | rule |
|----|------|
| 1  | always use tabs |
| 2  | never push |""",
    "nginx": """2025/03/03 10:00:00 [error] 7#7: *1 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.1
10.0.0.1 - - [03/Mar/2025:10:00:00 +0000] "GET /must/always HTTP/1.1" 502 157 "-" "curl/8.0\"""",
    "swift": """Fatal error: Unexpectedly found nil while unwrapping an Optional value: file Shop/Cart.swift, line 12
2025-03-03 10:00:00.123 Shop[1234:5678] *** Terminating app due to uncaught exception""",
    "codepy": """def save(item):
    \"\"\"Never call this twice.\"\"\"
    if not item: return None
    for x in item.parts:
        yield x
    return store.save(item)""",
    "codejs": """const total = items.reduce((a, b) => a + b, 0)
return total
await db.save(total)
throw new Error("must not be negative")
if (!user) return null
items.forEach(i => console.log(i))
export default App""",
    "codecss": """.button {
  color: red;
  must: never;
}
@media (max-width: 600px) { .a { display: none } }""",
    "html": """<div class="never">
  <p>You must always log in.</p>
</div>""",
    "npm": """npm WARN deprecated foo@1.0.0: use bar instead
npm ERR! code ERESOLVE
npm ERR! Fix the upstream dependency conflict, or retry
npm ERR! this command with --force or --legacy-peer-deps

added 120 packages, and audited 121 packages in 3s
20 packages are looking for funding
  run `npm fund` for details""",
    "pip": """Collecting foo
  Downloading foo-1.0-py3-none-any.whl (10 kB)
ERROR: Could not find a version that satisfies the requirement bar (from versions: none)
ERROR: No matching distribution found for bar
WARNING: You should consider upgrading via the 'pip install --upgrade pip' command.""",
    "vite": """  VITE v5.0.0  ready in 320 ms

  ➜  Local:   http://localhost:5173/
  ➜  Network: use --host to expose
  ➜  press h + enter to show help
[vite] Internal server error: Failed to resolve import "./foo" from "src/App.tsx". Does the file exist?""",
    "nextjs": """⨯ ./app/page.tsx
Error:\x20
  × You're importing a component that needs useState. It only works in a Client Component but none of its parents are marked with "use client", so they're Server Components by default.
  │ Learn more: https://nextjs.org/docs
   ╭─[app/page.tsx:1:1]
 1 │ import { useState } from 'react'
   ·          ────────
   ╰────""",
    "react": """Warning: Each child in a list should have a unique "key" prop.

Check the render method of `List`. See https://reactjs.org/link/warning-keys for more information.
    at Item (http://localhost:3000/static/js/bundle.js:12:3)
    at List""",
    "chrome": """Access to fetch at 'http://localhost:8000/api' from origin 'http://localhost:3000' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present on the requested resource. If an opaque response serves your needs, set the request's mode to 'no-cors' to fetch the resource with CORS disabled.
api.ts:12     GET http://localhost:8000/api net::ERR_FAILED 200
(anonymous) @ api.ts:12
useEffect @ App.tsx:9""",
    "systemd": """Mar 03 10:00:00 host systemd[1]: shop.service: Main process exited, code=exited, status=1/FAILURE
Mar 03 10:00:00 host shop[123]: You must set SHOP_TOKEN before starting.""",
    "gdb": """Program received signal SIGSEGV, Segmentation fault.
0x0000555555555149 in main () at main.c:5
5\t    *p = 3;
(gdb) bt
#0  0x0000555555555149 in main () at main.c:5""",
    "unity": """NullReferenceException: Object reference not set to an instance of an object
Cart.Total () (at Assets/Scripts/Cart.cs:12)
UnityEngine.Debug:Log(Object)
Assets/Scripts/Cart.cs(12,5): error CS0103: The name 'foo' does not exist in the current context""",
    "xcode": """/Users/me/App/Cart.swift:12:5: error: cannot find 'foo' in scope
    foo()
    ^~~
** BUILD FAILED **""",
    "jupyter": """---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
Cell In[3], line 2
      1 df = load()
----> 2 df["price"].mean()

KeyError: 'price'""",
    "help": """Usage: shop [OPTIONS] COMMAND

Options:
  --config PATH   Use this file.
  --force         Never ask.
  --help          Show this message and exit.

Commands:
  run     Always run the shop.""",
    "gotest": """--- FAIL: TestTotal (0.00s)
    cart_test.go:12: total must never be negative, got -1
FAIL
FAIL\texample.org/shop\t0.012s
ok  \texample.org/shop/util\t0.004s""",
    "phpunit": """There was 1 failure:

1) CartTest::testTotalMustNotBeNegative
Failed asserting that -1 is equal to 0 or is greater than 0.

/srv/app/tests/CartTest.php:12

FAILURES!
Tests: 3, Assertions: 5, Failures: 1.""",
    "prisma": """Error: P1001: Can't reach database server at `localhost:5432`

Please make sure your database server is running at `localhost:5432`.""",
    "uvicorn": """INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)
INFO:     Started reloader process [123] using StatReload
INFO:     127.0.0.1:5000 - "GET /items HTTP/1.1" 500 Internal Server Error
ERROR:    Exception in ASGI application""",
    "mysql": """+----+-------------------+
| id | rule              |
+----+-------------------+
|  1 | always use tabs   |
|  2 | never push        |
+----+-------------------+
2 rows in set (0.00 sec)""",
    "psql": """ id |      rule      \x20
----+-----------------
  1 | always use tabs
  2 | never push
(2 rows)""",
    "merge": """Auto-merging src/app.ts
CONFLICT (content): Merge conflict in src/app.ts
Automatic merge failed; fix conflicts and then commit the result.""",
    "apt": """Reading package lists... Done
Building dependency tree... Done
The following packages have unmet dependencies:
 foo : Depends: bar (>= 2.0) but 1.0 is to be installed
E: Unable to correct problems, you have held broken packages.""",
    "systemctl": """● shop.service - Shop
     Loaded: loaded (/etc/systemd/system/shop.service; enabled; preset: enabled)
     Active: failed (Result: exit-code) since Mon 2025-03-03 10:00:00 UTC; 3min ago
   Main PID: 123 (code=exited, status=1/FAILURE)""",
    "dmesg": """[   12.345678] usb 1-1: new high-speed USB device number 2 using xhci_hcd
[   12.500000] EXT4-fs (sda1): warning: mounting fs with errors, running e2fsck is recommended""",
    "dockerps": """CONTAINER ID   IMAGE      COMMAND                  CREATED         STATUS         PORTS                    NAMES
4f2c1a9e0b7d   nginx      "/docker-entrypoint.…"   3 minutes ago   Up 3 minutes   0.0.0.0:8080->80/tcp     web""",
    "compose": """web-1  | You must set SECRET_KEY before starting
web-1  | Always run migrations first
db-1   | 2025-03-03 10:00:00.000 UTC [1] LOG:  database system is ready to accept connections
web-1 exited with code 1""",
    "aws": """An error occurred (AccessDenied) when calling the PutObject operation: User: arn:aws:iam::1:user/me is not authorized to perform: s3:PutObject""",
    "helm": """Error: INSTALLATION FAILED: cannot re-use a name that is still in use""",
    "nvidia": """+-----------------------------------------------------------------------------+
| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13    CUDA Version: 12.0     |
|-------------------------------+----------------------+----------------------+
|   0  NVIDIA A100          On  | 00000000:00:04.0 Off |                    0 |
+-----------------------------------------------------------------------------+""",
    "torch": """RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 GiB total capacity; 14.02 GiB already allocated). If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.""",
    "torchload": """RuntimeError: Error(s) in loading state_dict for Net:
\tMissing key(s) in state_dict: "fc.weight", "fc.bias".
\tUnexpected key(s) in state_dict: "head.weight".
\tsize mismatch for conv.weight: copying a param with shape torch.Size([3]) from checkpoint, the shape in current model is torch.Size([4]).""",
    "valgrind": """==123== Invalid read of size 4
==123==    at 0x401136: main (main.c:5)
==123==  Address 0x0 is not stack'd, malloc'd or (recently) free'd""",
    "asan": """=================================================================
==123==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014
READ of size 4 at 0x602000000014 thread T0
    #0 0x4c2f1b in main main.c:5
SUMMARY: AddressSanitizer: heap-buffer-overflow main.c:5 in main""",
    "lua": """lua: cart.lua:12: attempt to index a nil value (local 'item')
stack traceback:
\tcart.lua:12: in function 'total'
\tmain.lua:3: in main chunk
\t[C]: in ?""",
    "haskell": """src/Main.hs:12:5: error:
    • Couldn't match expected type ‘Int’ with actual type ‘[Char]’
    • In the second argument of ‘(+)’, namely ‘"3"’
   |
12 |   x + "3"
   |       ^^^""",
    "kotlin": """e: file:///srv/app/src/Main.kt:12:5 Unresolved reference: foo
w: file:///srv/app/src/Main.kt:14:9 Variable 'x' is never used""",
    "scala": """[error] /srv/app/src/Main.scala:12:5: not found: value foo
[error]     foo()
[error]     ^
[error] one error found
[warn] You should always close the stream""",
    "cargotest": """running 2 tests
test cart::tests::must_never_be_negative ... FAILED
test cart::tests::keeps_total ... ok

failures:

---- cart::tests::must_never_be_negative stdout ----
thread 'cart::tests::must_never_be_negative' panicked at src/cart.rs:30:9:
assertion `left == right` failed: total must never be negative
  left: -1
 right: 0""",
    "swiftbuild": """error: terminated(1): /usr/bin/xcrun --sdk macosx --find xctest output:
    xcrun: error: unable to find utility "xctest", not a developer tool or in PATH""",
    "sqlalchemy": """sqlalchemy.exc.IntegrityError: (psycopg2.errors.NotNullViolation) null value in column "price" violates not-null constraint
DETAIL:  Failing row contains (1, null).

[SQL: INSERT INTO items (id) VALUES (%(id)s)]
[parameters: {'id': 1}]
(Background on this error at: https://sqlalche.me/e/20/gkpj)""",
    "alembic": """INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.
INFO  [alembic.runtime.migration] Will assume transactional DDL.
FAILED: Multiple head revisions are present; please specify a specific target revision""",
    "gitrebase": """Auto-merging app.ts
error: could not apply 4f2c1a9... always use the new cart
hint: Resolve all conflicts manually, mark them as resolved with
hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
Could not apply 4f2c1a9... always use the new cart""",
    "supabase": """{
  code: '42501',
  details: null,
  hint: null,
  message: 'new row violates row-level security policy for table "items"'
}""",
    "java": """Exception in thread "main" java.lang.IllegalStateException: cart must never be empty
\tat shop.Cart.total(Cart.java:12)
\tat shop.Main.main(Main.java:5)
Caused by: java.lang.NullPointerException: Cannot invoke "shop.Item.price()" because "item" is null
\t... 2 more""",
    "android": """03-03 10:00:00.123  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main
03-03 10:00:00.123  1234  1234 E AndroidRuntime: java.lang.RuntimeException: Unable to start activity""",
    "metro": """error: Error: Unable to resolve module ./foo from /srv/app/App.js:

None of these files exist:
  * foo(.native|.ios.js|.native.js|.js)
  * foo/index(.native|.ios.js|.js)
  3 | import x from './foo';
> 4 | import y from './bar';""",
    "make": """make[1]: Entering directory '/srv/app'
cc -O2 -c -o main.o main.c
main.c:5:5: error: use of undeclared identifier 'foo'
make[1]: *** [Makefile:3: main.o] Error 1
make[1]: Leaving directory '/srv/app'""",
    "cmake": """CMake Error at CMakeLists.txt:12 (find_package):
  By not providing "FindFoo.cmake" in CMAKE_MODULE_PATH this project has
  asked CMake to find a package configuration file provided by "Foo", but
  CMake did not find one.

-- Configuring incomplete, errors occurred!""",
    "crontab": """# m h dom mon dow command
0 3 * * * /srv/app/backup.sh
*/5 * * * * /srv/app/always_run.sh""",
    "nginxconf": """server {
    listen 80;
    # never proxy this
    location / {
        proxy_pass http://127.0.0.1:3001;
    }
}""",
    "dockerfile": """FROM python:3.12
# always pin this
WORKDIR /app
COPY . .
RUN pip install -r requirements.txt
CMD ["python", "main.py"]""",
    "pycode": """# never call this twice
def total(cart):
    # must always be positive
    items = cart.items
    if not items:
        return 0
    return sum(i.price for i in items)""",
    "tsxcode": """export function Cart({ items }: Props) {
  // always render the total
  const total = useMemo(() => sum(items), [items])
  return (
    <div className="cart">
      <p>You must add an item first.</p>
    </div>
  )
}""",
}
"""By the program that printed it."""
