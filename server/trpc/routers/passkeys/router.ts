import { router } from "@/server/trpc/init";
import { passkeysBegin } from "./begin";
import { passkeysList } from "./list";
import { passkeysRegister } from "./register";
import { passkeysRename } from "./rename";
import { passkeysRevoke } from "./revoke";

export const passkeysRouter = router({
  list: passkeysList,
  begin: passkeysBegin,
  register: passkeysRegister,
  rename: passkeysRename,
  revoke: passkeysRevoke,
});
