import { router } from "@/server/trpc/init";
import { graphCatalog } from "./catalog";
import { graphCheck } from "./check";
import { graphCreate } from "./create";
import { graphGet } from "./get";
import { graphImport } from "./import";
import { graphFile, graphRemove, graphRestore } from "./file";
import { graphList, graphListDeleted } from "./list";
import { graphPublish } from "./publish";
import { graphPublishPreview } from "./publish-preview";
import { publishRequestApprove } from "./publish-request-approve";
import { publishRequestCreate } from "./publish-request-create";
import { publishRequestDecline } from "./publish-request-decline";
import { publishRequestList } from "./publish-request-list";
import { graphSave } from "./save";
import { graphVersion } from "./version";
import { graphVersionChanges } from "./version-changes";
import { graphVersions } from "./versions";

export const graphsRouter = router({
  catalog: graphCatalog,
  check: graphCheck,
  create: graphCreate,
  file: graphFile,
  get: graphGet,
  import: graphImport,
  list: graphList,
  listDeleted: graphListDeleted,
  publish: graphPublish,
  publishPreview: graphPublishPreview,
  publishRequestApprove,
  publishRequestCreate,
  publishRequestDecline,
  publishRequestList,
  remove: graphRemove,
  restore: graphRestore,
  save: graphSave,
  version: graphVersion,
  versionChanges: graphVersionChanges,
  versions: graphVersions,
});
