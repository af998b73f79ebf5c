/** Restricts itself and becomes the program. Fails closed when an available layer is refused. */
import fs from "node:fs";
import { buildRuleset } from "./landlock.mjs";
import {
  applyFilter,
  applyLimits,
  applyRuleset,
  becomeUser,
  closeInherited,
  countThreads,
  denyCoreFiles,
  denyNewPrivileges,
  dieWithParent,
  dropCapabilities,
  keepDescriptor,
  landlockAbi,
  leaveNetwork,
  limitThreads,
} from "./native.mjs";
import { buildFilter } from "./seccomp.mjs";
import { architectureOf } from "./syscalls.mjs";

const SPEC_FD = 3;
/** As in ../channel.ts, which plain Node cannot load. */
const CHANNEL_FD = 4;
const BROKER_FD = 5;

const spec = /** @type {import("../policy.ts").LaunchSpec} */ (JSON.parse(fs.readFileSync(SPEC_FD, "utf8")));
const { command, args, env, cwd, policy, parentPid, hasChannel, hasBroker } = spec;
const { limits, capabilities, namespace = false, user } = policy;

process.chdir(cwd);
denyCoreFiles();
const isRoot = process.geteuid?.() === 0;
// Others are in one already: unshare needs a single-threaded starter.
if (isRoot && namespace) leaveNetwork();
if (isRoot && !capabilities) dropCapabilities();
denyNewPrivileges();
const others = isRoot || limits === null ? 0 : countThreads();
const abi = landlockAbi();
if (abi > 0) applyRuleset(buildRuleset(policy, abi));
// After the rules, each of which opens a file.
if (limits !== null) {
  applyLimits(limits);
  limitThreads(others + limits.threads);
}
if (user) becomeUser(user);
if (parentPid !== null) {
  // The kernel clears it on every user change.
  dieWithParent();
  // The parent may have ended before the call.
  if (process.ppid !== parentPid) process.exit(0);
}
closeInherited();
if (hasChannel) keepDescriptor(CHANNEL_FD);
if (hasBroker) keepDescriptor(BROKER_FD);
const architecture = architectureOf(process.arch);
if (architecture !== null) applyFilter(buildFilter(policy, architecture, process.pid));
if (process.execve === undefined) throw new Error("this Node cannot become another program");
process.execve(command, [command, ...args], { NODE_ENV: "production", ...env });
