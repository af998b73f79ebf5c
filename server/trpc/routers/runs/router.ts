import { router } from "@/server/trpc/init";
import { runsCancel } from "./cancel";
import { runsGet } from "./get";
import { runsList } from "./list";
import { runsLive } from "./live";
import { runsRecords } from "./records";
import { runsStart } from "./start";

export const runsRouter = router({
  cancel: runsCancel,
  get: runsGet,
  list: runsList,
  live: runsLive,
  records: runsRecords,
  start: runsStart,
});
