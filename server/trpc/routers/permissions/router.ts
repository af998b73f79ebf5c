import { router } from "@/server/trpc/init";
import { permissionsList } from "./list";

export const permissionsRouter = router({ list: permissionsList });
