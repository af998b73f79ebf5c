/** Which Node is good enough for what. Pure, so that every version can be tested on any. */

/** For npm and for these few files; the rest may run on the Node that npm installs beside the project. */
const oldest = [20, 0];

/** Runs TypeScript without a flag and is what the libraries ask for. */
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
 * One sentence when this Node cannot even install, else null.
 * @param {string} version
 */
export const nodeProblem = (version) =>
  reaches(version, oldest) ? null : `Node ${version} is too old: install Node 20 or newer from https://nodejs.org and try again.`;
