import { env } from "node:process";
import { runBundled } from "../bundled.ts";

// Keeps the product's logs off stdout.
env["LOG_LEVEL"] = "silent";
await runBundled("asks");
