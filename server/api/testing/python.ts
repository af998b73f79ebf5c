import { spawnSync } from "node:child_process";
import path from "node:path";

const { status, stdout } = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 11))"], { encoding: "utf8" });
if (status !== 0 || stdout.trim() !== "True") throw new Error("These tests need python3 of version 3.11 or newer on the PATH.");

export const PYTHON = {
  PYTHONPATH: path.resolve(import.meta.dirname, "../../../clients/python/src"),
  PYTHONDONTWRITEBYTECODE: "1",
} as const;
