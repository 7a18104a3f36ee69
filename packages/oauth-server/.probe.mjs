import http from "node:http"; import { randomBytes } from "node:crypto"; import * as jose from "jose"; import express from "express";
import { createKeyring } from "@org/keyring"; import { createApplications, createOAuthServer, createBearerVerifier } from "@org/oauth-server"; import { createMemoryOAuthStore } from "@org/oauth-server/memory";
const mem=createMemoryOAuthStore(); const clock=()=>new Date(); const audit=()=>{}; const secretHashKeys=[{version:1,key:randomBytes(32)}];
const o=createOAuthServer({issuer:"http://127.0.0.1:1",store:mem,keyring:createKeyring([{id:"a",key:randomBytes(32)}]),secretHashKeys,clock,audit,log:console});
const {application,client_secret}=await createApplications({store:mem,secretHashKeys,clock,audit}).create({tenant_id:"t",name:"x"});
const app=express(); app.use(o.router);
const kp=await jose.generateKeyPair("ES256");
const raw=http.createServer((req,res)=>{let s="";req.setEncoding("utf8");req.on("data",d=>s+=d);req.on("end",async()=>{const q=new URLSearchParams(s);q.get("client_id");const t=Math.floor(Date.now()/1000);const a=await new jose.SignJWT({iss:"x",sub:"s",aud:"m",scope:"r",iat:t,exp:t+3600,jti:crypto.randomUUID(),client_id:"c"}).setProtectedHeader({alg:"ES256",typ:"at+jwt",kid:"k"}).sign(kp.privateKey);const b=Buffer.from(JSON.stringify({access_token:a,refresh_token:randomBytes(32).toString("base64url")}));res.writeHead(200,{"content-length":b.length});res.end(b)})});
const servers={raw,node:http.createServer((q,s)=>o.token(q,s)),express:http.createServer(app)};
const body=new URLSearchParams({grant_type:"client_credentials",client_id:application.client_id,client_secret}).toString();
for(const s of Object.values(servers)) await new Promise(r=>s.listen(0,"127.0.0.1",r));
const agent=new http.Agent({keepAlive:true,maxSockets:16});
const one=(port)=>new Promise((res,rej)=>{const r=http.request({port,host:"127.0.0.1",path:"/token",method:"POST",agent,headers:{"content-type":"application/x-www-form-urlencoded","content-length":body.length}},x=>{x.resume();x.on("end",()=>x.statusCode===200?res():rej(x.statusCode))});r.on("error",rej);r.end(body)});
const out={};
for(let round=0;round<7;round++) for(const [n,s] of Object.entries(servers)){const port=s.address().port;const c0=process.cpuUsage();const N=1500;let i=0;await Promise.all(Array.from({length:16},async()=>{while(i++<N)await one(port)}));const c=process.cpuUsage(c0);(out[n]??=[]).push((c.user+c.system)/N)}
const med=a=>a.sort((x,y)=>x-y)[a.length>>1];
for(const n in out)console.log(n,"cpu us/call incl. client",med(out[n]).toFixed(0));
const v=createBearerVerifier({issuer:"http://127.0.0.1:1",audience:"http://127.0.0.1:1",keys:o.signingKeys,endedGrants:o.endedGrants,clock});
const tok=(await (await fetch(`http://127.0.0.1:${servers.node.address().port}/token`,{method:"POST",body:new URLSearchParams(body)})).json()).access_token;
await v.verify("Bearer "+tok);const t0=process.cpuUsage();for(let k=0;k<50000;k++)await v.verify("Bearer "+tok);const t1=process.cpuUsage(t0);console.log("cached verify cpu us",((t1.user+t1.system)/50000).toFixed(2));
process.exit(0)
