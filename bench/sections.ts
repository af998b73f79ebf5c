import { APPROVE } from "./approve/section";
import { BYTES } from "./bytes/section";
import { START } from "./cold-start/section";
import { IDLE } from "./idle/section";
import { READS } from "./reads/section";
import { RESUME } from "./resume/section";
import { SANDBOX } from "./sandbox/section";
import type { Section } from "./section";
import { STARTS } from "./starts/section";
import { STEPS } from "./steps/section";
import { STORE } from "./store/section";
import { WEB } from "./web/section";

export const SECTIONS: readonly Section[] = [STEPS, BYTES, RESUME, READS, START, WEB, IDLE, APPROVE, SANDBOX, STORE, STARTS];
