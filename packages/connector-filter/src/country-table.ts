/**
 * ISO 3166-1, packed. Each word has the countries of one first letter: that letter, then the other two letters of each
 * alpha-3 code. The alpha-2 code is the first two letters of the alpha-3 code unless a mark follows: `.` means the first and
 * the third letter (`swe.`, SE), `,` the first letter and the one after the comma (`ukr,a`, UA), `;` the two letters after
 * the semicolon (`atf;tf`, TF).
 */
export const codeTable =
  "abw.fggo.iala,xlbnd.re.rgrm.smta,qtf;tftg.usut.ze bdi.elen,jes,qfagd.grhrhs.ih,almlr,ylz.muolrarb.rn.tnvtwa caf.anckhehl.hn.ivmrod.og.ok.olom;kmpv.riubuw.xrym;kyypze deujimank.omza ecugyrish.spst,eth finjilk.raro.sm. gabbreogyhaibin.lp.mbnb,wnq.rcrd.rl.tmuf.umuy. hkgmdndrvtiun idnmnndotrl,ernrq.slsr,lta jam.eyorpn kaz.engzhmirnaor.wt laobnbr.by.caiekasotuuxva mac,oaf.arcodadg.dv.ex.hlkdlilt.mrne.ngnp.oz.rtsrtq.uswiysyt;yt namclerfkgaiciu.ldorplruzl omn pak.ancn.erhllw.ng.ol.rirk;kprt.ry.seyf. qat reuouuswa saudnen.gpgs;gshnjmlb.lelv.mrompm;pmrb;rssdtpur.vk.vn,iwe.wz.xmyc.yr tcacd.gohajkklkm.lsontoun.ur.uv.wnza ugakr,amiry.sazb vatctengbirnmut wlf.sm yem zafmbwe";

/** English names that `Intl.DisplayNames` lacks in some versions of its data, each preceded by its alpha-2 code. */
export const furtherNames =
  "aeuae,ciivory coast,czczech republic,gbgreat britain,gbuk,momacau,rurussian federation,trturkey,usunited states of america";
