/**
 * `npm run bench -- [--only a,b] [--peers all|none|a,b] [--quick] [--json]`: what the engine costs beside its peers, and what people
 * wait for. Progress goes to stderr; stdout is tables, or with `--json` one JSON object by section name.
 */
import { CHILDREN } from "./children";

const args = process.argv.slice(2);
const [first, child = "", order = "{}"] = args;
if (first === "--child") process.stdout.write(`${JSON.stringify(await CHILDREN[child]?.(order))}\n`);
else await (await import("./ask")).carryOut(args);
