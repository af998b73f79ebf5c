import type { Attack } from "@/bench/adversary/rungs/attack";

export const WEB_ATTACKS: readonly Attack[] = [];
