/** For any Node. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./web/main.ts", import.meta.url));
