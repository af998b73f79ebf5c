import { router } from "@/server/trpc/init";
import { approvalsAround } from "./around";
import { approvalsBringBack } from "./bring-back";
import { approvalsComment } from "./comment";
import { approvalsCount } from "./count";
import { approvalsDecide } from "./decide";
import { approvalsDesk } from "./desk";
import { approvalsEdit } from "./edit";
import { approvalsGet } from "./get";
import { approvalsNotMine } from "./not-mine";
import { approvalsQueue } from "./queue";
import { approvalsReach } from "./reach";
import { approvalsSimilar } from "./similar";
import { approvalsSnooze } from "./snooze";
import { approvalsSummaries } from "./summaries";

export const approvalsRouter = router({
  around: approvalsAround,
  bringBack: approvalsBringBack,
  comment: approvalsComment,
  count: approvalsCount,
  decide: approvalsDecide,
  desk: approvalsDesk,
  edit: approvalsEdit,
  get: approvalsGet,
  notMine: approvalsNotMine,
  queue: approvalsQueue,
  reach: approvalsReach,
  similar: approvalsSimilar,
  snooze: approvalsSnooze,
  summaries: approvalsSummaries,
});
