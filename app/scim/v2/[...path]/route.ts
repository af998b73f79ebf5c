import { handleScim } from "@/server/scim/handle";

export { handleScim as DELETE, handleScim as GET, handleScim as PATCH, handleScim as POST, handleScim as PUT };
