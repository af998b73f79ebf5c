import { router } from "@/server/trpc/init";
import { runsAttest } from "./attest";
import { runsBlame } from "./blame";
import { runsCancel } from "./cancel";
import { runsCompare } from "./compare";
import { runsFork } from "./fork";
import { runsGet } from "./get";
import { runsList } from "./list";
import { runsLive } from "./live";
import { runsMisfit } from "./misfit";
import { runsNowProcedure } from "./now";
import { runsOpenCell } from "./open-cell";
import { runsOpenHidden } from "./open-hidden";
import { runsProgress } from "./progress";
import { runsRecords } from "./records";
import { runsRetryNow } from "./retry-now";
import { runsAnswerWait } from "./answer-wait";
import { runsTakeWaitToken } from "./take-wait-token";
import { runsSaid } from "./said";
import { runsShred } from "./shred";
import { runsStart } from "./start";
import { runsState } from "./state";
import { runsVerifyReplay } from "./verify-replay";

export const runsRouter = router({
  attest: runsAttest,
  blame: runsBlame,
  cancel: runsCancel,
  compare: runsCompare,
  fork: runsFork,
  get: runsGet,
  list: runsList,
  live: runsLive,
  misfit: runsMisfit,
  now: runsNowProcedure,
  openCell: runsOpenCell,
  openHidden: runsOpenHidden,
  progress: runsProgress,
  records: runsRecords,
  retryNow: runsRetryNow,
  answerWait: runsAnswerWait,
  takeWaitToken: runsTakeWaitToken,
  said: runsSaid,
  shred: runsShred,
  start: runsStart,
  state: runsState,
  verifyReplay: runsVerifyReplay,
});
