/** Builds what a start builds. `node bin/test/build.ts <folder for logs> [--background]` */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buildWeb, bundleServers } from "../start/build.ts";
import { ROOT } from "../start/settings.ts";

const folder = process.argv[2];

if (folder === undefined) throw new Error("usage: node bin/test/build.ts <folder> [--background]");
// Tests beside it wait for at most so long.
if (process.argv.includes("--background")) os.setPriority(os.constants.priority.PRIORITY_LOW);
for (const name of ["log", "build"]) fs.mkdirSync(path.join(folder, name), { recursive: true });
await bundleServers(ROOT, folder);
await buildWeb(ROOT, folder, new AbortController().signal);
