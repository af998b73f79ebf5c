/** Plain JavaScript, so that an old Node gets a sentence instead of a syntax error. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./start/main.ts", import.meta.url));
