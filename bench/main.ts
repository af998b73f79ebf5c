/**
 * `npm run bench -- [--only a,b] [--peers all|none|a,b] [--quick] [--json]`: engine against peers, and waiting times of people. Progress
 * goes to stderr; stdout has tables, or with `--json` one JSON object by section.
 */
import { CHILDREN } from "./children";

const args = process.argv.slice(2);
const [first, child = "", order = "{}"] = args;
if (first === "--child") process.stdout.write(`${JSON.stringify(await CHILDREN[child]?.(order))}\n`);
else await (await import("./ask")).carryOut(args);
