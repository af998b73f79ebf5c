/** `npm run set-up`: roles, schema and state folders of a fleet. Plain JavaScript for any Node, like bin/start.mjs. */
const { runOnGoodNode } = await import("./ready/run.mjs");

await runOnGoodNode(new URL("./set-up/main.ts", import.meta.url));
