const PROGRAMS =
  "node|nodejs|npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack|bun|bunx|deno|tsx|ts-node|uv|uvx|pip|pipx|poetry|conda|python[0-9.]*|pypy[0-9.]*|" +
  "perl|ruby|gem|bundle|php|lua(?:jit)?|java|dotnet|go|cargo|sh|ash|bash|dash|zsh|ksh|csh|tcsh|fish|busybox|toybox|env|sudo|doas|su|nohup|" +
  "nice|timeout|xargs|find|awk|gawk|sed|vim?|nvim|ssh|docker|podman|nerdctl|kubectl|cmd|command|powershell|pwsh|wscript|cscript|osascript|eval|exec";

const PROGRAM = new RegExp(String.raw`^(?:${PROGRAMS})(?:\.(?:exe|cmd|bat|ps1|js|cjs|mjs))?$`, "i");

const LAUNCHERS =
  /^(?:npm|npx|pnpm|yarn|corepack|bun|deno|deno-bin|node|tsx|ts-node|ts-node-dev|esbuild|esbuild-register|esbuild-runner|vite-node|vite|vitest|jest|mocha|nodemon|pm2|forever|concurrently|npm-run-all2?|cross-env(?:-shell)?|dotenv-cli|env-cmd|execa|execa-cli|shelljs|shx|zx|cmd-shim|sucrase|swc-node|babel-node|patch-package|husky|lerna|nx|turbo|wireit|gulp(?:-cli)?|grunt(?:-cli)?|repl|degit|playwright|puppeteer|supergateway|mcp-remote|mcp-proxy|mcp-hub|mcp-cli|mcpm|mcp-get|smithery|@smithery\/cli|@modelcontextprotocol\/inspector(?:-.*)?|@babel\/node|@swc-node\/.*|@swc\/cli|@wong2\/mcp-cli|@npmcli\/.*|@yarnpkg\/.*|@pnpm\/.*)$/;

/** Returns whether a program runs given code, so its digest proves nothing. */
export const isInterpreter = (fileName: string): boolean => PROGRAM.test(fileName);

export const runsOtherPrograms = (packageName: string): boolean => LAUNCHERS.test(packageName) || isInterpreter(packageName);

/** Load or trust foreign code, or are our own. */
const DENIED_VARIABLE =
  /^(?:NODE_.*|PATH|PATHEXT|HOME|USERPROFILE|TMPDIR|TMP|TEMP|PWD|OLDPWD|SHELL|ENV|IFS|PS[0-4]|CDPATH|BASH.*|ZDOTDIR|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*|HOSTALIASES|RES_OPTIONS|RESOLV_.*|LOCALDOMAIN|SSL_.*|OPENSSL_.*|SSLKEYLOGFILE|CURL_.*|REQUESTS_.*|(?:.*_)?PROXY|NPM_.*|PNPM_.*|YARN_.*|COREPACK_.*|TSX_.*|TS_NODE_.*|BUN_.*|DENO_.*|UV_.*|PIP_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_INI_.*|JAVA_.*|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|DOTNET_.*|COR_.*|CORECLR_.*|ELECTRON_.*|GIT_.*|SSH_.*|EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|TERM.*|COUNTERSIGN_.*|NEXTAUTH_.*|OIDC_.*)$/;

const VARIABLE = /^[A-Z][A-Z0-9_]{0,63}$/;
/** These belong in the secret store. */
const HOLDS_SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)$/;

export const isSecretVariable = (name: string): boolean => HOLDS_SECRET.test(name);

export const isDeniedVariable = (name: string): boolean => !VARIABLE.test(name) || DENIED_VARIABLE.test(name);
