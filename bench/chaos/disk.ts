import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const SIZE_BYTES = 3 * 1024 ** 3;
/** Less than a database page. */
const LEFT_BYTES = 4_096;

export type Disk = {
  readonly folder: string;
  fill(): void;
  free(): void;
  remove(): void;
};

const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
};

/** As text: why impossible. */
export const makeDisk = (parent: string): Disk | string => {
  if (process.platform !== "linux") return "only Linux mounts a file as a disk this way";
  if (process.getuid?.() !== 0) return "mounting a disk takes root";
  const image = path.join(parent, "disk.img");
  const folder = path.join(parent, "disk");
  const balloon = path.join(folder, "balloon");
  try {
    fs.closeSync(fs.openSync(image, "w"));
    fs.truncateSync(image, SIZE_BYTES);
    run("mkfs.ext4", "-q", "-F", "-m", "0", image);
    fs.mkdirSync(folder);
    run("mount", "-o", "loop", image, folder);
    fs.chmodSync(folder, 0o755);
  } catch (error) {
    return `no disk could be made: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`;
  }

  return {
    folder,
    fill: () => {
      const { bavail, bsize } = fs.statfsSync(folder);
      // The file system's overhead is unknown.
      for (let left = bavail * bsize - LEFT_BYTES; left > LEFT_BYTES; left -= 1_048_576) {
        try {
          run("fallocate", "-l", String(left), balloon);

          return;
        } catch {
          fs.rmSync(balloon, { force: true });
        }
      }
    },
    free: () => fs.rmSync(balloon, { force: true }),
    remove: () => {
      try {
        run("umount", folder);
      } catch {
        run("umount", "-l", folder);
      }
    },
  };
};
