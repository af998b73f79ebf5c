import { stat } from "node:fs/promises";
import type { Program } from "@/lib/mcp/program";
import type { Clock } from "@/server/clock";
import type { Installation } from "./installation";
import { askBroker } from "@/server/mcp/containers/ask";
import { digestProgram, getEntry, listOfferedPrograms } from "./launch";

/** A digest reads every file of a package. */
const RECHECK_MS = 60_000;

export type PresentPrograms = {
  /** @throws AppError("manifest_invalid") while the list is unreadable */
  list(): Promise<readonly Program[]>;
  /** A start found its files wrong: they are digested before it is listed again. */
  doubt(program: string): void;
};

export const createPresentPrograms = (at: Installation, clock: Clock): PresentPrograms => {
  /** When each was digested last; null: not yet. */
  const doubted = new Map<string, number | null>();

  const isPresent = async (program: Program): Promise<boolean> => {
    if (program.runs.kind === "bundled") return true;
    if (program.runs.kind === "image") return askBroker(at.home, program);
    const entry = await stat(getEntry(program, at)).catch(() => null);
    if (!entry?.isFile()) return false;
    const lookedAt = doubted.get(program.id);
    if (lookedAt === undefined) return true;
    if (lookedAt !== null && clock.now() - lookedAt < RECHECK_MS) return false;
    doubted.set(program.id, clock.now());
    const files = await digestProgram(program, at).catch(() => null);
    if (files !== program.files) return false;
    doubted.delete(program.id);

    return true;
  };

  return {
    list: async () => {
      const offered = await listOfferedPrograms(at);
      const present = await Promise.all(offered.map(isPresent));

      return offered.filter((_program, index) => present[index]);
    },
    doubt: (program) => {
      if (!doubted.has(program)) doubted.set(program, null);
    },
  };
};
