/** Builds what a start builds. `node bin/test/build.ts <folder for logs>` */
import fs from "node:fs";
import path from "node:path";
import { buildWeb, bundleServers } from "../start/build.ts";
import { ROOT } from "../start/settings.ts";

const folder = process.argv[2];

if (folder === undefined) throw new Error("usage: node bin/test/build.ts <folder>");
for (const name of ["log", "build"]) fs.mkdirSync(path.join(folder, name), { recursive: true });
await bundleServers(ROOT, folder);
await buildWeb(ROOT, folder, new AbortController().signal);
