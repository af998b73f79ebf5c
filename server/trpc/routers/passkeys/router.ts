import { router } from "@/server/trpc/init";
import { passkeysAllow } from "./allow";
import { passkeysBegin } from "./begin";
import { passkeysList } from "./list";
import { passkeysRegister } from "./register";
import { passkeysRename } from "./rename";
import { passkeysRevoke } from "./revoke";

export const passkeysRouter = router({
  list: passkeysList,
  begin: passkeysBegin,
  register: passkeysRegister,
  allow: passkeysAllow,
  rename: passkeysRename,
  revoke: passkeysRevoke,
});
