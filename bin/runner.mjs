/** For any Node. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./runner/main.ts", import.meta.url));
