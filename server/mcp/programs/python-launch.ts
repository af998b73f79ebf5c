/** How programs from Python packages start; installing them is not the runner's (python.ts). */
import path from "node:path";
import type { Program } from "@/lib/mcp/program";

export const PYTHON = "bin/python";

const firstPart = (name: string): string => name.split(".")[0] ?? name;

/** `-I` ignores variables and user packages; `-B` writes no bytecode. */
export const buildPythonArguments = ({ runs }: Program): readonly string[] => {
  if (runs.kind !== "python") return [];
  const [module = "", name = ""] = runs.entry.split(":");

  return [
    "-I",
    "-B",
    "-c",
    `import sys; sys.argv[0] = ${JSON.stringify(runs.package)}; from ${module} import ${firstPart(name)}; sys.exit(${name}())`,
  ];
};

/** Folders outside of the program that its interpreter reads. */
export const listPythonFolders = ({ runs }: Program): readonly string[] => (runs.kind === "python" ? [path.join(runs.base, "lib")] : []);
