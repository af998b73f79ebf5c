/** `countersign keys`: the public keys under which this installation signs and has signed. Below it, what is done to the vault's. */
import type { PublicKeys } from "@/lib/engine/signature";
import { closeStore } from "@/server/store/close";
import { listPublicKeys } from "@/server/store/signing-keys";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { signerOf } from "./installed";
import { jsonLine } from "./problem";

/** The present key, read from a file, which the database cannot change. */
export const currentKey = (home: string): PublicKeys => {
  const signer = signerOf(home);

  return signer ? { [signer.kid]: signer.publicKey } : {};
};

const storedKeys = async (host: CliHost): Promise<PublicKeys | null> => {
  if (!host.openInstalledDatabase()) return null;
  host.defer(closeStore);

  return listPublicKeys().catch(() => null);
};

/** Loaded when they are asked for: most of them need the packages of the database. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  journal: async () => (await import("./journal")).journalCommand,
  "rotate-signing": async () => (await import("./signing-keys")).rotateSigning,
  "rotate-vault": async () => (await import("./vault-keys")).rotateVault,
  "remove-old-vault": async () => (await import("./vault-keys")).removeOldVault,
};

export const keysCommand: CliCommand = async (argv, host) => {
  const [name = "", ...rest] = argv;
  const load = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (load) return (await load())(rest, host);
  parseArguments(argv, null, { json: "boolean" });
  const stored = await storedKeys(host);
  const keys = { ...stored, ...currentKey(host.home) };
  if (Object.keys(keys).length === 0) {
    throw new CliFailure(`there are no keys in ${host.home}: nothing was ever started there, or its keys belong to another user`);
  }
  if (stored === null)
    await host.err("countersign: the database does not run, so this is only the present key; older ones are not shown\n");
  await host.out(jsonLine(keys));

  return 0;
};
