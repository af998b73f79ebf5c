import fs from "node:fs";

/** Lists descendants, children first. */
export const listDescendants = (pid: number): readonly number[] => {
  try {
    const children = fs
      .readdirSync(`/proc/${pid}/task`)
      .flatMap((thread) => fs.readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number));

    return children.flatMap((child) => [child, ...listDescendants(child)]);
  } catch {
    // It ended meanwhile.
    return [];
  }
};

/** Returns arguments separated by NUL; "" when ended. */
export const commandOf = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};
