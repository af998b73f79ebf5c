import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { waitsUnderOlder } from "@/server/runner/rotation";
import { readPrivateFile, writePrivateFile } from "@/server/security/private-file";
import { formatVaultKeys, getNewestVersion, parseVaultKeys, getVaultKeyFile, type VaultKeys } from "@/server/security/vault-ring";
import { countCellsUnderOlder, inTurn, findRotationTo, startRotation, type Rotation } from "@/server/store/ledger/cells-rotation";
import { getHealth } from "@/server/store/health";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, useInstalledDatabase, openVault } from "./installed";
import { formatJsonLine } from "./problem";

const KEY_BYTES = 32;
const LOOK_AGAIN_MS = 300;

const readRing = (host: CliHost): VaultKeys => {
  try {
    return parseVaultKeys(readPrivateFile(getVaultKeyFile(host.home)));
  } catch (error) {
    throw new CliFailure(`cannot read the vault key in ${host.home}`, error);
  }
};

const writeRing = (host: CliHost, keys: VaultKeys): void => writePrivateFile(getVaultKeyFile(host.home), formatVaultKeys(keys));

/** Returns a new version, or that of a rotation under way. */
const nextVersion = async (host: CliHost): Promise<number> => {
  const keys = readRing(host);
  const newest = getNewestVersion(keys);
  const rotation = await findRotationTo(newest);
  // Also after a crash between key and request.
  const isUnderWay = rotation === null ? keys.size > 1 : !rotation.finished;
  if (isUnderWay) return newest;
  // Before the request: no runner may rewrap under a lost key.
  writeRing(host, new Map([...keys, [newest + 1, randomBytes(KEY_BYTES).toString("hex")]]));

  return newest + 1;
};

const percentOf = ({ finished, total, rewrapped, unreadable }: Rotation): number =>
  finished ? 100 : Math.min(99, total === 0 ? 0 : Math.floor(((rewrapped + unreadable) / total) * 100));

const watch = async (host: CliHost, version: number): Promise<Rotation> => {
  let shown = -1;
  for (;;) {
    const rotation = await awaitAnswer(findRotationTo(version));
    if (rotation === null) throw new CliFailure(`the rotation to key version ${version} no longer exists`);
    const percent = percentOf(rotation);
    if (percent !== shown) await host.err(`countersign: ${percent} % of the values use key version ${version}\n`);
    shown = percent;
    if (rotation.finished) return rotation;
    if ((await getHealth(Number.POSITIVE_INFINITY)).runner !== "ok") {
      throw new CliFailure("no runner is running: the rotation continues when you start Countersign (npm start)");
    }
    await delay(LOOK_AGAIN_MS);
  }
};

export const rotateVault: CliCommand = async (argv, host) => {
  parseArguments(argv, null, {});
  useInstalledDatabase(host);
  const version = await awaitAnswer(inTurn(() => nextVersion(host)));
  await startRotation(version);
  const { rewrapped, unreadable } = await watch(host, version);
  const old = [...readRing(host).keys()].filter((other) => other < version);
  await host.out(formatJsonLine({ version, rewrapped, unreadable, old_versions: old }));
  await host.err("countersign: the old key is now needed only for backups. To remove it, run: countersign keys remove-old-vault\n");

  return 0;
};

const removeOld = async (host: CliHost): Promise<{ readonly version: number; readonly removed: readonly number[] }> => {
  const keys = readRing(host);
  const version = getNewestVersion(keys);
  const rotation = await findRotationTo(version);
  const left = await countCellsUnderOlder(version);
  const isNeeded = keys.size > 1 && (rotation?.finished !== true || left > rotation.unreadable);
  if (isNeeded || (await waitsUnderOlder(openVault(host.home), version))) {
    throw new CliFailure('some values still use an older key: run "countersign keys rotate-vault" and wait until it is done');
  }
  writeRing(host, new Map([...keys].filter(([other]) => other === version)));

  return { version, removed: [...keys.keys()].filter((other) => other !== version) };
};

export const removeOldVault: CliCommand = async (argv, host) => {
  parseArguments(argv, null, {});
  useInstalledDatabase(host);
  await host.out(formatJsonLine(await awaitAnswer(inTurn(() => removeOld(host)))));

  return 0;
};
