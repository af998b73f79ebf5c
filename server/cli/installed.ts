import { existsSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "@/server/clock";
import type { Installation } from "@/server/mcp/programs/installation";
import { JournalRefused } from "@/server/security/journal/files";
import { openJournal, type Journal } from "@/server/security/journal/journal";
import { loadSigner, type Signer } from "@/server/security/keyring";
import { useTrustAnchor } from "@/server/security/trust-anchor";
import { loadVault, type Vault } from "@/server/security/vault";
import { closeStore } from "@/server/store/runs/close";
import { CliFailure, type CliHost } from "./host";

export const noInstallation = (home: string): CliFailure =>
  new CliFailure(`no installation found in ${home}: start Countersign first (npm start), or set COUNTERSIGN_HOME`);

export const installationOf = ({ home, root }: CliHost): Installation => {
  if (!existsSync(path.join(home, "keys"))) throw noInstallation(home);

  return { home, root };
};

export const noWorkspace = (): CliFailure => new CliFailure("this installation has no workspace yet: start Countersign and create one");

export const workspaceNotFound = (id: string): CliFailure => new CliFailure(`workspace ${id} not found in this installation`);

export const useInstalledDatabase = (host: CliHost): void => {
  useTrustAnchor(host.home);
  if (!host.openInstalledDatabase()) throw noInstallation(host.home);
  host.defer(closeStore);
};

/** Awaits the first query. @throws CliFailure */
export const awaitAnswer = <T>(question: Promise<T>): Promise<T> =>
  question.catch((error: unknown) => {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure("cannot connect to the database of this installation: start Countersign first (npm start)", error);
  });

export const openVault = (home: string): Vault => {
  try {
    return loadVault(home);
  } catch (error) {
    throw new CliFailure(`cannot read the vault key in ${home}`, error);
  }
};

export const openSigner = (home: string): Signer | null => {
  try {
    return loadSigner(home);
  } catch {
    return null;
  }
};

export const demandSigner = (home: string): Signer => {
  const signer = openSigner(home);
  if (!signer) throw new CliFailure(`cannot read the signing key in ${home}: run this command as the user that runs Countersign`);

  return signer;
};

export const openJournalOf = async (host: CliHost): Promise<Journal> => {
  const journal = await openJournal(host.home, systemClock).catch((error: unknown) => {
    throw new CliFailure(error instanceof JournalRefused ? error.message : `cannot open the journal in ${host.home}`, error);
  });
  host.defer(journal.close);

  return journal;
};

/** Replaces the file, since others may have been able to read it. */
export const openOutput = async (file: string): Promise<FileHandle> => {
  const handle = await open(file, "w", 0o600);
  try {
    if ((await handle.stat()).isFile()) await handle.chmod(0o600);

    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
};

const write = async (file: string, text: string): Promise<void> => {
  const handle = await openOutput(file);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
};

export const deliver = async (host: Pick<CliHost, "out" | "err">, text: string, file: string | null, note: string): Promise<void> => {
  if (file === null) return host.out(text);
  await write(file, text).catch((error: unknown) => {
    throw new CliFailure(`cannot write ${file}`, error);
  });

  return host.err(`countersign: wrote ${file}${note}\n`);
};
