/** The operator's programs, out of accounts' and database writers' reach. */
import { statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { programSchema, type Program } from "@/lib/mcp/program";
import { readPrivateFile, writePrivateFile } from "@/server/security/private-file";
import { createInvalidProgram } from "./installation";

const MOST_PROGRAMS = 200;

const listedSchema = programSchema.refine(({ id, runs }) => !isBundledProgram(id) && runs.kind !== "bundled");
const listSchema = z
  .strictObject({ v: z.literal(1), programs: z.array(listedSchema).max(MOST_PROGRAMS) })
  .refine(({ programs }) => new Set(programs.map(({ id }) => id)).size === programs.length);

const listFileOf = (home: string): string => path.join(home, "keys", "programs.json");

/** @throws AppError("manifest_invalid") when malformed or not private */
export const readPrograms = (home: string): readonly Program[] => {
  const file = listFileOf(home);
  if (!statSync(file, { throwIfNoEntry: false })) return [];
  try {
    return listSchema.parse(JSON.parse(readPrivateFile(file))).programs;
  } catch (cause) {
    throw Object.assign(createInvalidProgram("The operator's list of programs cannot be read."), { cause });
  }
};

/** @throws ZodError */
export const writePrograms = (home: string, programs: readonly Program[]): void => {
  const list = listSchema.parse({ v: 1, programs: programs.toSorted((one, other) => (one.id < other.id ? -1 : 1)) });
  writePrivateFile(listFileOf(home), `${JSON.stringify(list, null, 2)}\n`);
};
