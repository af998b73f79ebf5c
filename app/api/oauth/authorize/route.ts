export { handleAuthorization as GET } from "@/server/oauth/authorize";
