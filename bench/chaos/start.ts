import { env } from "node:process";
import { runBundled } from "../bundled.ts";

// Stdout is for what came of it; what the product's own code has to say while its database goes away is not.
env["LOG_LEVEL"] = "silent";
await runBundled("chaos");
