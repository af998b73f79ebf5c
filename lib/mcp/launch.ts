/**
 * What a stdio server may be given beside the code that was reviewed: a file, fixed arguments, an environment. None of it
 * may make that code run other code. A program that exists to run others (npx, a shell, a bridge) is no server, whatever its
 * arguments are: reviewing it would say nothing about what runs.
 */
import { z } from "zod";
import { secretReferenceSchema } from "@/lib/secrets/reference";

const CONTROL = /\p{Cc}/u;

const PROGRAMS =
  "node|nodejs|npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack|bun|bunx|deno|tsx|ts-node|uv|uvx|pip|pipx|poetry|conda|python[0-9.]*|pypy[0-9.]*|" +
  "perl|ruby|gem|bundle|php|lua(?:jit)?|java|dotnet|go|cargo|sh|ash|bash|dash|zsh|ksh|csh|tcsh|fish|busybox|toybox|env|sudo|doas|su|nohup|" +
  "nice|timeout|xargs|find|awk|gawk|sed|vim?|nvim|ssh|docker|podman|nerdctl|kubectl|cmd|command|powershell|pwsh|wscript|cscript|osascript|eval|exec";

/** A whole argument, or its first word, that names a program which runs what it is told. */
const PROGRAM = new RegExp(String.raw`^(?:\S*[\\/]s?bin[\\/])?(?:${PROGRAMS})(?:\.(?:exe|cmd|bat|ps1|js|cjs|mjs))?(?:\s|$)`, "i");
/** Flags that make a program run a text, another file or a download. */
const RUNS_OTHERS =
  /^(?:-[ecpry]|--?(?:eval|print|call|yes|require|import|loader|experimental-loader|env-file(?:-if-exists)?|node-options|node-arg|script-shell|shell|exec|command|cmd|run|inspect(?:-[a-z]+)?)(?:=.*)?)$/is;

const runsOthers = (text: string): boolean => RUNS_OTHERS.test(text.trim()) || PROGRAM.test(text.trim());

/** `{inbox}` stands for the folder of mails of this installation. */
export const launchArgumentSchema = z
  .string()
  .max(1_000)
  .refine((text) => !CONTROL.test(text), "Control characters are not allowed.")
  .refine((text) => !runsOthers(text), "This argument makes a program run other code than what is reviewed.");

/** One way to write each file, so that what is reviewed is what is named. */
const isPlainPath = (text: string): boolean =>
  text.split("/").every((part, index) => (index === 0) === (part === "") && part !== "." && part !== "..");

/** Packages are registered by name and version: only then is all of one looked at. Folders with a dot hold no packages. */
const IN_PACKAGE = /\/node_modules\/(?!\.)/;
const SCRIPT = /\.[cm]?[jt]s$/;

export const launchFileSchema = z
  .string()
  .max(1_000)
  .regex(/^\//, "Enter an absolute path.")
  .refine((text) => !CONTROL.test(text), "Control characters are not allowed.")
  .refine(isPlainPath, "Enter the path without . and .. in it.")
  .regex(SCRIPT, "Enter a JavaScript or TypeScript file: it is run by our own Node, and nothing else is.")
  .refine((text) => !IN_PACKAGE.test(text), "This file belongs to a package: register the package.");

/** Packages that run others, or that pass on what another server says. */
const LAUNCHERS =
  /^(?:npm|npx|pnpm|yarn|corepack|bun|deno|deno-bin|node|tsx|ts-node|ts-node-dev|esbuild|esbuild-register|esbuild-runner|vite-node|vite|vitest|jest|mocha|nodemon|pm2|forever|concurrently|npm-run-all2?|cross-env(?:-shell)?|dotenv-cli|env-cmd|execa|execa-cli|shelljs|shx|zx|cmd-shim|sucrase|swc-node|babel-node|patch-package|husky|lerna|nx|turbo|wireit|gulp(?:-cli)?|grunt(?:-cli)?|repl|degit|playwright|puppeteer|supergateway|mcp-remote|mcp-proxy|mcp-hub|mcp-cli|mcpm|mcp-get|smithery|@smithery\/cli|@modelcontextprotocol\/inspector(?:-.*)?|@babel\/node|@swc-node\/.*|@swc\/cli|@wong2\/mcp-cli|@npmcli\/.*|@yarnpkg\/.*|@pnpm\/.*)$/;

export const isProgram = (name: string): boolean => PROGRAM.test(name);

export const runsOtherPrograms = (packageName: string): boolean => LAUNCHERS.test(packageName) || isProgram(packageName);

/** Variables by which the runtime, the loader, a shell or a tool is made to load or trust something else, and our own. */
const DENIED_VARIABLE =
  /^(?:NODE_.*|PATH|PATHEXT|HOME|USERPROFILE|TMPDIR|TMP|TEMP|PWD|OLDPWD|SHELL|ENV|IFS|PS[0-4]|CDPATH|BASH.*|ZDOTDIR|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*|HOSTALIASES|RES_OPTIONS|RESOLV_.*|LOCALDOMAIN|SSL_.*|OPENSSL_.*|SSLKEYLOGFILE|CURL_.*|REQUESTS_.*|(?:.*_)?PROXY|NPM_.*|PNPM_.*|YARN_.*|COREPACK_.*|TSX_.*|TS_NODE_.*|BUN_.*|DENO_.*|UV_.*|PIP_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_INI_.*|JAVA_.*|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|DOTNET_.*|COR_.*|CORECLR_.*|ELECTRON_.*|GIT_.*|SSH_.*|EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|TERM.*|COUNTERSIGN_.*|NEXTAUTH_.*|OIDC_.*)$/;

const VARIABLE = /^[A-Z][A-Z0-9_]{0,63}$/;
/** What is named so is kept in the secret store and nowhere else. */
const HOLDS_SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)$/;

export const isSecretVariable = (name: string): boolean => HOLDS_SECRET.test(name);

export const isDeniedVariable = (name: string): boolean => !VARIABLE.test(name) || DENIED_VARIABLE.test(name);

const plainValueSchema = z.strictObject({
  value: z
    .string()
    .max(2_000)
    .refine((text) => !CONTROL.test(text), "Control characters are not allowed."),
});

/** The whole environment of a server, but for a home and a folder for temporary files, which are empty. */
export const launchEnvironmentSchema = z
  .record(z.string().max(64), z.union([secretReferenceSchema, plainValueSchema]))
  .superRefine((variables, context) => {
    const names = Object.keys(variables);
    if (names.length > 32) context.addIssue({ code: "custom", message: "At most 32 variables." });
    for (const name of names) {
      if (isDeniedVariable(name)) context.addIssue({ code: "custom", message: `The variable ${name} is not passed on.`, path: [name] });
      else if (isSecretVariable(name) && !("secret" in (variables[name] ?? {})))
        context.addIssue({ code: "custom", message: `Keep ${name} in the secret store.`, path: [name] });
    }
  });
export type LaunchEnvironment = z.infer<typeof launchEnvironmentSchema>;

/** Names of the secrets that it refers to. */
export const secretsOfEnvironment = (variables: LaunchEnvironment): readonly string[] =>
  Object.values(variables).flatMap((value) => ("secret" in value ? [value.secret] : []));
