import { env } from "node:process";
import { runBundled } from "../bundled.ts";

// Stdout is for results, not for the product's logs.
env["LOG_LEVEL"] = "silent";
await runBundled("chaos");
