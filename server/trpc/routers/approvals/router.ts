import { router } from "@/server/trpc/init";
import { approvalsAround } from "./around";
import { approvalsCount } from "./count";
import { approvalsDecide } from "./decide";
import { approvalsDesk } from "./desk";
import { approvalsGet } from "./get";
import { approvalsList } from "./list";
import { approvalsQueue } from "./queue";
import { approvalsReach } from "./reach";

export const approvalsRouter = router({
  around: approvalsAround,
  count: approvalsCount,
  decide: approvalsDecide,
  desk: approvalsDesk,
  get: approvalsGet,
  list: approvalsList,
  queue: approvalsQueue,
  reach: approvalsReach,
});
