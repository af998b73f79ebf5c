/** `npm test`: everything that CI runs. Plain JavaScript for any Node, like bin/start.mjs. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./test/main.ts", import.meta.url));
