import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { approvedSchema, type Approved, type Latency, type Order } from "@/bench/approve/order";
import { ownChild, startChild } from "@/bench/child";
import { figure, markdown } from "@/bench/report";
import type { Bench, Section } from "@/bench/section";

const PLANS = {
  full: { waiting: 1_000, paced: 200, burst: 50, everyMs: 100 },
  quick: { waiting: 12, paced: 4, burst: 4, everyMs: 50 },
} as const;

export type ApproveResult = Approved & { readonly waiting: number; readonly every_ms: number };

const run = async (bench: Bench): Promise<ApproveResult> => {
  const plan = PLANS[bench.scale];
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-approve-"));
  try {
    const order: Order = { urls: await (await bench.server()).migrated(), home, ...plan };
    bench.progress(`${plan.waiting} runs until each waits, then ${plan.paced + plan.burst} approvals`);
    const approved = approvedSchema.parse(JSON.parse(await startChild(ownChild("approve", order)).answer));

    return { waiting: plan.waiting, every_ms: plan.everyMs, ...approved };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const table = ({ waiting, every_ms: everyMs, paced, burst }: ApproveResult): string => {
  const row = (name: string, { approved, p50, p95, most }: Latency) => [
    name,
    figure(approved),
    figure(p50, "ms"),
    figure(p95, "ms"),
    figure(most, "ms"),
  ];

  return [
    `From sending a decision to the record that the approved call was answered, with ${figure(waiting)} runs waiting. None was lost, none made twice, and each ledger verifies.`,
    markdown(["", "approved", "p50", "p95", "most"], [row(`one each ${everyMs} ms`, paced), row("at once", burst)]),
  ].join("\n\n");
};

export const APPROVE: Section<ApproveResult> = {
  name: "approve",
  says: "from a decision to its call, with many runs that wait; none lost, none twice",
  run,
  table,
};
