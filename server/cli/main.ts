import { readFile } from "node:fs/promises";
import path from "node:path";
import { CliFailure, type CliCommand, type CliHost } from "./host";

const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  approvals: async () => (await import("./remote/approvals")).approvalsCommand,
  authority: async () => (await import("./authority")).runAuthorityCommand,
  validate: async () => (await import("./validate")).validateCommand,
  keys: async () => (await import("./keys")).runKeysCommand,
  diff: async () => (await import("./graphs/diff")).diffCommand,
  doctor: async () => (await import("./doctor")).runDoctorCommand,
  export: async () => (await import("./export")).exportCommand,
  checkpoint: async () => (await import("./checkpoint")).runCheckpointCommand,
  mcp: async () => (await import("./mcp")).runMcpCommand,
  passkeys: async () => (await import("./passkeys")).runPasskeysCommand,
  policy: async () => (await import("./policy")).runPolicyCommand,
  promote: async () => (await import("./graphs/promote")).promoteCommand,
  promotions: async () => (await import("./promotions")).runPromotionsCommand,
  publish: async () => (await import("./graphs/publish")).publishCommand,
  "publish-requests": async () => (await import("./publish-requests")).publishRequestsCommand,
  pull: async () => (await import("./graphs/pull")).pullCommand,
  push: async () => (await import("./graphs/push")).pushCommand,
  directory: async () => (await import("./directory")).runDirectoryCommand,
  rules: async () => (await import("./rules")).runRulesCommand,
  restored: async () => (await import("./restored")).runRestoredCommand,
  servers: async () => (await import("./servers")).runServersCommand,
  resume: async () => (await import("./stop")).runResumeCommand,
  stop: async () => (await import("./stop")).runStopCommand,
  state: async () => (await import("./state")).stateCommand,
  runs: async () => (await import("./remote/runs")).runsCommand,
  run: async () => (await import("./run/command")).runCommand,
  verifier: async () => (await import("./verifier")).runVerifierCommand,
  verify: async () => (await import("./verify")).verifyCommand,
  workspaces: async () => (await import("./workspaces")).runWorkspacesCommand,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

const SOURCE = `      [--workspace ID]              SOURCE: this installation, as its operator
      --remote URL [--token-env NAME]
                                    SOURCE or REMOTE: another one, with a service account's token from the environment
                                    variable NAME (default: COUNTERSIGN_TOKEN)`;

const USAGE = `Usage: countersign COMMAND [OPTIONS]
       countersign COMMAND --help
       countersign --version

Graphs and runs
  validate FILE                     Check a graph file (JSON or YAML) and print its problems as JSON
  run FILE [--inputs FILE] [--script FILE] [--mcp FILE] [--decide FILE] [--env FILE] [--goal TEXT] [--json] [--out FILE]
                                    Run a graph in a temporary workspace, without the web process; --env has its
                                    variables; --out exports the run, for verify
  run GRAPH --remote URL [--environment ID] [--inputs FILE] [--file INPUT=FILE] [--model ID] [--goal TEXT] [--wait] [--key TEXT] [--out FILE]
                                    Start the version that is live in an environment, until it ended or waits for a person;
                                    --wait waits on; the same --key within a day starts nothing new
  state RUN [REMOTE]                Print the WorkflowState of a run as JSON: goal, limits, last error, what it waits
                                    for, memory
  runs [list] [--status STATUS] [--graph GRAPH] [--limit N] REMOTE
                                    List runs, newest first
  runs show|cancel RUN [--reason TEXT] REMOTE
                                    Show or cancel a run
  runs fork RUN --seq N [--effects simulate|live] REMOTE
                                    Continue from a record in a new run
  approvals [list] [--decided] REMOTE
                                    List approval requests
  approvals show|reject ID [--reason TEXT] REMOTE
                                    Show what a request would do, or reject it; only people approve
  mcp --url URL [--token-env NAME]  Connect an MCP client to an agent's graph over stdio; the token is read from
                                    the environment variable NAME (default: COUNTERSIGN_TOKEN)

Graphs as code
  pull [GRAPH…] [--dir DIR] [--version N|newest] [--format yaml|json] [--force] [SOURCE]
                                    Write drafts, or versions of them, into one file a graph
  push FILE… [--base FILE|none] [SOURCE]
                                    Save files as drafts, unless a draft is no longer the one that its file was
                                    made from (exit code 2)
  diff BEFORE AFTER [--json | --markdown] [SOURCE]
                                    Compare authority and parts; exit code 2 if publishing takes a second person.
                                    BEFORE and AFTER: a file, none, GRAPH@N, GRAPH@newest or GRAPH@draft
  publish FILE [--again] [--wait] [SOURCE]
                                    Ask a person to publish the draft that equals the file; exit code 0 published,
                                    2 refused, 3 waiting
  promote GRAPH --to ENVIRONMENT [--version N|newest] [--again] [--wait] [SOURCE]
                                    Ask a person to promote a version, by default the one that is live in the environment
                                    before; exit code 0 promoted, 2 refused, 3 waiting
${SOURCE}

Exports and verification
  export RUN [--out FILE] [REMOTE]  Export a run as one signed document
  export --workspace [--id ID] [--out FILE]
                                    Export all records, the log and the checkpoints of a workspace, without values
  verify EXPORT [--anchor FILE | --keys FILE] [--kept FILE]
                                    Verify an export offline, and a workspace export against a stored checkpoint
  verify RUN REMOTE [--anchor FILE | --keys FILE]
                                    Export a run of another installation and verify it here
  verify --checkpoint FILE [--anchor FILE | --keys FILE]
                                    Verify this installation against a stored checkpoint
  checkpoint [--out FILE] [--since FILE]
                                    Create a signed checkpoint of all records, to be stored elsewhere
  verifier --out FILE               Write the offline verifier: one HTML file that needs no network

MCP servers
  servers install NAME[@VERSION] [--bin BIN] [--scripts] [OPTIONS]
                                    Install an npm package that admins can add as an MCP server; its install scripts
                                    run only with --scripts
  servers install --python NAME[==VERSION] [--bin BIN] [--scripts] [OPTIONS]
                                    Install a Python package with uv or pip; only wheels without --scripts
  servers install --program FILE [--sha256 HEX] [OPTIONS]
                                    Allow a program on this machine
  servers install --image NAME@sha256:DIGEST [OPTIONS]
                                    Allow a container image by podman or docker; pulls it if it is missing
      --id ID, --name NAME, --arg TEXT, --env NAME=TEXT
                                    ID, name, arguments and variables of the program; admins fill in {NAME} in TEXT
      --folder NAME=ROOT, --text NAME=PATTERN, --choice NAME=A,B, --host NAME, --secret NAME
                                    What {NAME} can be
      --allow-host HOST[:PORT], --network direct
                                    What the program can connect to (default: nothing)
  servers upgrade ID [--version VERSION] [--image NAME@sha256:DIGEST] [--bin BIN] [--scripts] [--yes] [--json]
      [--value NAME=TEXT]
                                    Show what a newer version changes; --yes installs it,
                                    which --scripts requires
  servers list                      List available programs and whether their files have changed
  servers remove ID                 Remove a program

Administration
  doctor [--json] [--reach]         Check keys, database, pooler, sandbox, servers, containers, providers and clock, and show the
                                    isolation of this machine; --reach also connects to the providers
  authority [--workspace ID]        Compare roles, versions, tokens and servers with the signed records
  authority adopt [--workspace ID] --yes
                                    Record the rows of an installation from before there were such records, once
  publish-requests [--workspace ID]
                                    List versions that wait for a second person
  publish-requests confirm ID --yes
                                    Confirm a version as the operator, where the workspace has no second person
  promotions [--workspace ID]       List promotions that wait for a second person
  promotions confirm ID --yes       Approve one as the operator, where the workspace has no second person
  passkeys allow EMAIL              Let a person register a passkey within 24 hours, where no admin can
  policy [show] [--workspace ID]    Show which approvals need a passkey
  policy set write|graph --yes [--environment ID] [--workspace ID]
                                    Set which approvals need a passkey, in place of two admins
  directory [show] [--workspace ID] Show how groups of the identity provider become roles
  directory confirm --yes [--token ID] [--workspace ID]
                                    Confirm a mapping that makes admins, in place of a second admin
  rules [list] [--workspace ID]     List the approval rules of workspaces
  rules remove ID --yes [--workspace ID]
                                    Remove an approval rule, in place of two admins
  workspaces [list]                 List the workspaces of this installation
  workspaces create [--url URL]     Print a link, valid once for 30 minutes, that creates a workspace and its first admin
  stop [--workspace ID]             Stop all work within a second: no call starts, calls in progress are cancelled
  resume [--workspace ID]           Resume work that the operator stopped
  restored [--release RUN | --release-all]
                                    List runs that are on hold since a restore, or continue them

Keys
  keys [--anchor]                   Print the public keys of this installation, or its trust anchor, as JSON
  keys adopt [KID | --none]         List earlier keys that the database names, or trust KID and those after it
  keys journal [--accept]           Show what the runner remembers outside the database, or accept a damaged or
                                    missing journal
  keys rotate-signing               Create a new signing key; the old one signs the hand-over
  keys rotate-vault                 Create a new vault key; the runner re-encrypts the keys of all stored values
  keys remove-old-vault             Remove old vault keys that no stored value uses any more
`;

const COMMAND_LINE = /^ {2}(?<name>[a-z][a-z-]*)/u;

const usageOf = (name: string): string => {
  let current = "";
  const lines = USAGE.split("\n").filter((line) => {
    if (!line.startsWith("  ")) current = "";
    else current = COMMAND_LINE.exec(line)?.groups?.["name"] ?? current;

    return current === name;
  });

  const usage = lines.join("\n");

  return `Usage: countersign ${name} [OPTIONS]\n\n${usage}${usage.includes("[SOURCE]") && !usage.includes(SOURCE) ? `\n${SOURCE}` : ""}\n`;
};

const HELP: ReadonlySet<string> = new Set(["help", "--help", "-h"]);
const VERSION: ReadonlySet<string> = new Set(["version", "--version", "-v"]);

const asksForHelp = (rest: readonly string[]): boolean => {
  const end = rest.indexOf("--");

  return rest.slice(0, end === -1 ? rest.length : end).some((argument) => argument === "--help" || argument === "-h");
};

const readVersion = async (root: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { readonly version: string };

  return version;
};

export const runCli = async (argv: readonly string[], host: CliHost): Promise<number> => {
  const [name = "", ...rest] = argv;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (VERSION.has(name)) {
    await host.out(`${await readVersion(host.root)}\n`);

    return 0;
  }
  if (load === undefined) {
    const asked = HELP.has(name);
    await (asked ? host.out(USAGE) : host.err(`${name === "" ? "" : `countersign: unknown command "${name}"\n`}${USAGE}`));

    return asked ? 0 : 1;
  }
  if (asksForHelp(rest)) {
    await host.out(usageOf(name));

    return 0;
  }
  try {
    const command = await load();

    return await command(rest, host);
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    await host.err(`countersign: ${error.message}\n`);

    return 1;
  }
};
