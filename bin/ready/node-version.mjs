/** For these files; the rest may run on the Node that npm installs. */
const oldest = [20, 0];

/** Runs TypeScript without a flag. */
const wanted = [22, 19];

/**
 * @param {string} version such as "20.11.1"
 * @param {readonly number[]} least
 */
const reaches = (version, least) => {
  const parts = version.split(".").map(Number);

  for (const [index, needed] of least.entries()) {
    const part = parts[index] ?? 0;

    if (part !== needed) return part > needed;
  }

  return true;
};

/** @param {string} version */
export const isGood = (version) => reaches(version, wanted);

/**
 * Returns a fault, or null.
 * @param {string} version
 */
export const nodeProblem = (version) =>
  reaches(version, oldest) ? null : `Node ${version} is too old: install Node 20 or newer from https://nodejs.org and try again.`;
