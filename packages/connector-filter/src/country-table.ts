/**
 * ISO 3166-1: every alpha-3 code in lower case, followed in capitals by what its alpha-2 code has else than the first
 * two letters: nothing (`esp`, ES), the second letter (`sweE`, SE) or both (`atfTF`, TF).
 */
export const codeTable =
  "abwWfggoOialaXlbndDreErgrmMsmtaQtfTFtgGusutTze bdiIelenJesQfagdDgrhrhsSihAlmlrYlzZmuolrarbBrnNtnvtwa cafFanckhehlLhnNivmrodDogGokKolomKMpvVriubuwWxrymKYypze deujimankKomza ecugyrishHspstEth finjilkKraroOsmM gabbreogyhaibinNlpPmbnbWnqQrcrdDrlLtmufFumuyY hkgmdndrvtiun idnmnndotrlErnrqQslsrLta jamMeyorpn kazZengzhmirnaorRwt laobnbrRbyYcaiekasotuuxva macOafFarcodadgGdvVexXhlkdliltTmrneEngnpPozZrtsrtqQuswiysytYT namclerfkgaiciuUldorplruzl omn pakKancnNerhllwWngGolLrirkKPrtTryYseyfF qat reuouuswa saudnenNgpgsGShnjmlbBlelvVmrompmPMrbRSsdtpurRvkKvnIweEwzZxmycCyr tcacdDgohajkklkmMlsontounNurRuvVwnza ugakrAmiryYsazb vatctengbirnmut wlfFsm yem zafmbwe";

/** English names that `Intl.DisplayNames` lacks, in some version of its data at least, after their alpha-2 code. */
export const furtherNames =
  "aeuae,cddemocratic republic of the congo,ciivory coast,cvcape verde,czczech republic,gbbritain,gbgreat britain,gbuk,hkhong kong,krrepublic of korea,mmburma,momacao,momacau,rurussian federation,szswaziland,trturkey,usunited states of america";
