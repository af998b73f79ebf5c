import { router } from "@/server/trpc/init";
import { approvalsAround } from "./around";
import { approvalsComment } from "./comment";
import { approvalsCount } from "./count";
import { approvalsDecide } from "./decide";
import { approvalsDesk } from "./desk";
import { approvalsEdit } from "./edit";
import { approvalsGet } from "./get";
import { approvalsList } from "./list";
import { approvalsQueue } from "./queue";
import { approvalsReach } from "./reach";
import { approvalsSimilar } from "./similar";
import { approvalsSummaries } from "./summaries";

export const approvalsRouter = router({
  around: approvalsAround,
  comment: approvalsComment,
  count: approvalsCount,
  decide: approvalsDecide,
  desk: approvalsDesk,
  edit: approvalsEdit,
  get: approvalsGet,
  list: approvalsList,
  queue: approvalsQueue,
  reach: approvalsReach,
  similar: approvalsSimilar,
  summaries: approvalsSummaries,
});
