/** The command `countersign` and its sub-commands; each is loaded when it is asked for. */
import { CliFailure, type CliCommand, type CliHost } from "./host";

const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  authority: async () => (await import("./authority")).authorityCommand,
  validate: async () => (await import("./validate")).validateCommand,
  keys: async () => (await import("./keys")).keysCommand,
  doctor: async () => (await import("./doctor")).doctorCommand,
  export: async () => (await import("./export")).exportCommand,
  checkpoint: async () => (await import("./checkpoint")).checkpointCommand,
  mcp: async () => (await import("./mcp")).mcpCommand,
  passkeys: async () => (await import("./passkeys")).passkeysCommand,
  policy: async () => (await import("./policy")).policyCommand,
  "publish-requests": async () => (await import("./publish-requests")).publishRequestsCommand,
  restored: async () => (await import("./restored")).restoredCommand,
  servers: async () => (await import("./servers")).serversCommand,
  run: async () => (await import("./run/command")).runCommand,
  verifier: async () => (await import("./verifier")).verifierCommand,
  verify: async () => (await import("./verify")).verifyCommand,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

const USAGE = `countersign validate FILE                   problems of a graph document (JSON or YAML), as JSON
countersign run FILE [--inputs F] [--script F] [--mcp F] [--decide F] [--goal TEXT] [--json]
                                            a whole run without the web, in a throw-away workspace
countersign export RUN [--out FILE]         a run as one signed document
countersign export --workspace [--id ID] [--out FILE]
                                            all records of a workspace, its log and checkpoints; no values
countersign verify EXPORT [--anchor FILE | --keys FILE] [--kept FILE]
                                            checks an export, of a workspace also against a kept checkpoint;
                                            needs neither database nor network
countersign checkpoint [--out FILE] [--since FILE]
                                            one signed line about all records, to be kept elsewhere
countersign verify --checkpoint FILE [--anchor FILE | --keys FILE]
                                            checks this installation against what was kept
countersign restored [--release RUN | --release-all]
                                            the runs that are held since a restore (npm start -- --restored)
countersign verifier --out FILE             the offline verifier: one HTML file that needs no network
countersign mcp --url URL [--token-env NAME]
                                            an outside agent's graph over stdio; the token is in the environment
countersign authority [--workspace ID]      compares roles, versions, tokens and servers with the signed records
countersign authority adopt --yes           puts the rows of an older version on record, once
countersign publish-requests [--workspace ID]
                                            versions that wait for a second person
countersign publish-requests confirm ID --yes
                                            the operator's yes, where the workspace has no second person
countersign doctor [--json]                 what isolates MCP servers, web and runner on this machine
countersign passkeys allow EMAIL            lets a person register a passkey within 24 hours, where no admin can
countersign policy [show] [--workspace ID]  which approvals take a passkey
countersign policy set write|graph --yes [--workspace ID]
                                            the operator's word, in place of two admins
countersign servers install NAME@VERSION [--bin BIN] | allow FILE [--sha256 HEX]
                    [--id ID] [--name NAME] [--arg TEXT]... [--env NAME=TEXT]... [--folder NAME=ROOT]...
                    [--text NAME=PATTERN]... [--choice NAME=A,B]... [--host NAME]... [--secret NAME]...
                    [--allow-host HOST[:PORT]]... [--network direct]
                                            a program that admins can add as an MCP server; {NAME} in TEXT is filled in by them
countersign servers list                    what is offered, and whether its files are as they were
countersign servers remove ID               takes a program off the list
countersign keys [--anchor]                 the public keys of this installation, or its trust anchor, as JSON
countersign keys adopt [KID | --none]       earlier keys that the database names: lists them, or takes KID and those after it
countersign keys journal [--accept]         what the runner remembers outside the database; accept a damaged or missing one
countersign keys rotate-signing             a new signing key; the old one signs that it hands over
countersign keys rotate-vault               a new key for the stored values; the runner rewraps them all
countersign keys remove-old-vault           the old keys, once nothing is sealed under them any more
`;

/** @returns the exit code */
export const runCli = async (argv: readonly string[], host: CliHost): Promise<number> => {
  const [name = "", ...rest] = argv;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    const asked = name === "help" || name === "--help" || name === "-h";
    await (asked ? host.out(USAGE) : host.err(`${name === "" ? "" : `countersign: there is no command ${name}\n`}${USAGE}`));

    return asked ? 0 : 1;
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
