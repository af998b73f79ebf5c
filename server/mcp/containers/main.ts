/** Broker process: outside of the sandbox, because container engines mount. It has no key, vault or database. */
import { systemClock } from "@/server/clock";
import { readEngineEnvironment, readEnv } from "@/server/env";
import { log } from "@/server/log";
import { openBroker } from "./broker";

const broker = await openBroker({
  installation: { home: readEnv().COUNTERSIGN_HOME, root: process.cwd() },
  env: readEngineEnvironment(),
  clock: systemClock,
});
log().info("containers can be started");

process.once("SIGTERM", () => void broker.close().finally(() => process.exit(0)));
