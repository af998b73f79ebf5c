import { router } from "@/server/trpc/init";
import { graphCatalog } from "./catalog";
import { graphCreate } from "./create";
import { graphGet } from "./get";
import { graphList } from "./list";
import { graphPublish } from "./publish";
import { graphSave } from "./save";
import { graphVersion } from "./version";
import { graphVersions } from "./versions";

export const graphsRouter = router({
  catalog: graphCatalog,
  create: graphCreate,
  get: graphGet,
  list: graphList,
  publish: graphPublish,
  save: graphSave,
  version: graphVersion,
  versions: graphVersions,
});
