/** Generates the database client. Prisma would download an engine that generating never runs, so it is told that it has one. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeErr } from "./terminal.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const prisma = path.join(root, "node_modules", "prisma", "build", "index.js");
const { status, stderr } = spawnSync(process.execPath, [prisma, "generate"], {
  cwd: root,
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
  encoding: "utf8",
});

if (status !== 0) writeErr(stderr);
process.exit(status ?? 1);
