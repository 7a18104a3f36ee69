import { createOpenApiDocument } from "@org/rest-api";

const document = await createOpenApiDocument({ publicUrl: "http://localhost:3000", letterMaxBytes: 10_485_760 });
export const paths = Object.keys(document.paths);
console.log(paths.join("\n"));
