export { describeAuthorizationServer as GET } from "@/server/oauth/metadata";
