import { router } from "@/server/trpc/init";
import { policyConfirm, policyDecline, policyLower, policyRaise } from "./change";
import { policyGet } from "./get";

export const policyRouter = router({
  get: policyGet,
  raise: policyRaise,
  lower: policyLower,
  confirm: policyConfirm,
  decline: policyDecline,
});
