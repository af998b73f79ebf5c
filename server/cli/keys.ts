import { getKeys, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { loadAnchor } from "@/server/security/anchor-file";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { formatJsonLine } from "./problem";

export const loadHomeAnchor = async (home: string): Promise<TrustAnchor> => {
  const anchor = await loadAnchor(home).catch((error: unknown) => {
    throw new CliFailure(`cannot use the trust anchor in ${home} (keys/trust-anchor.json)`, error);
  });
  if (!anchor) {
    throw new CliFailure(`no trust anchor found in ${home}: no runner has started there yet, or its keys belong to another user`);
  }

  return anchor;
};

/** Loaded on demand: most need the database's packages. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  journal: async () => (await import("./journal")).runJournalCommand,
  adopt: async () => (await import("./adopt-keys")).adoptKeys,
  "rotate-signing": async () => (await import("./signing-keys")).rotateSigning,
  "rotate-vault": async () => (await import("./vault-keys")).rotateVault,
  "remove-old-vault": async () => (await import("./vault-keys")).removeOldVault,
};

export const runKeysCommand: CliCommand = async (argv, host) => {
  const [name = "", ...rest] = argv;
  const load = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (load) return (await load())(rest, host);
  const { flag } = parseArguments(argv, null, { json: "boolean", anchor: "boolean" });
  const anchor = await loadHomeAnchor(host.home);
  await host.out(formatJsonLine(flag("anchor") ? anchor : getKeys(anchor)));

  return 0;
};
