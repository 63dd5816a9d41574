/** French, Spanish, Portuguese and Italian. */
import { hasWords, type LanguagePatterns, starts, states, statesExactly } from "../pattern.ts";
import { ENDED_FRENCH, ENDED_ITALIAN, ENDED_PORTUGUESE, ENDED_SPANISH } from "./ended.ts";

export const FRENCH: LanguagePatterns = {
  language: "fr",
  remember: [
    starts(
      "(?:s'il te plaît,? |s'il vous plaît,? )?(?:souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|n'oublie pas|n'oubliez pas)(?: bien)?(?: (?:ceci|cela))?(?:\\s*[:,—–]\\s*|\\s+(?:que |qu'|de )(?=\\S))",
    ),
    starts("(?:note|notez)(?: bien)? que (?=(?:je |j'|mon |ma |nous ))"),
    starts("pour (?:info|information|mémoire|la prochaine fois)[:,]?\\s+"),
  ],
  dontRemember: hasWords(
    "ne (?:retiens|retenez|note|notez|garde|gardez|mémorise|sauvegarde|enregistre) pas (?:ça|cela|ceci)|oublie (?:ça|cela|ce que)|je plaisante|c'est une blague",
  ),
  lead: starts(
    "(?:bonjour|salut|au fait|aussi|et|alors|donc|bon|ok|oui|merci|en fait|d'ailleurs|en général|personnellement)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:je|j'|mon|ma|mes|nous|on)))",
  ),
  correction: starts(
    "(?:non|pardon|erreur|correction|attends|c'est faux|ce n'est pas ça)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:en fait|en réalité|je voulais dire|plutôt)[, ]+)?",
  ),
  supposed: hasWords(
    "si j'\\p{L}*|si je|si nous|si on|imagine|imaginons|supposons|serais|aurais|voudrais|aimerais|préférerais|peut-être|par exemple|comme si|dans l'histoire",
  ),
  statements: [
    ...ENDED_FRENCH,
    statesExactly("home", "profile", "[Jj]e viens (?:de |du |des |d')\\p{Lu}"),
    states("name", "profile", "je m'appelle \\S|mon (?:nom|prénom) est \\S|appelle-moi \\S|appelez-moi \\S"),
    states("age", "profile", "j'ai \\d{1,3} ans(?!\\p{L})|mon anniversaire est|je suis née? (?:le|à|en) "),
    states(
      "work",
      "profile",
      "je travaille (?:comme|chez|pour|en tant que) (?!(?:toi|vous|moi|nous|le moment)(?!\\p{L}))\\S|je suis (?:un |une )?(?:\\p{L}+ )?(?:ingénieur|développeu|infirmi|médecin|professeur|enseignant|étudiant|avocat|architecte|designer|journaliste|chercheu|comptable|traduct|retraité|cuisini|boulang|musicien|artiste|pharmacien|psychologue)\\p{L}*|mon métier est|j'étudie \\S",
    ),
    states(
      "home",
      "profile",
      "j'habite (?:à|en|au|aux|dans|près|chez) \\S|je vis (?:à|en|au|aux|dans|près) \\S|j'ai déménagé (?:à|en|au) \\S|mon adresse est",
    ),
    states(
      "health",
      "profile",
      "je suis (?:\\p{L}+ )?allergique (?:à|au|aux)|j'ai une (?:allergie|intolérance)|je suis (?:végane?|végétarien(?:ne)?|diabétique|intolérante? |enceinte|daltonien(?:ne)?|gauch\\p{L}+)|j'ai (?:du |de l'|le )?(?:diabète|asthme|migraines)",
    ),
    states(
      "family",
      "profile",
      "je suis (?:marié|divorcé|fiancé|célibataire|veuf|veuve)\\p{L}*|j'ai (?:une?|deux|trois|quatre|\\d+) (?:\\p{L}+ )?(?:enfants?|fils|filles?|frères?|s(?:œ|oe)urs?|chiens?|chats?|chiennes?|chattes?)(?!\\p{L})",
    ),
    states(
      "relative",
      "entities",
      "(?:mon|ma|notre) (?:femme|mari|copain|copine|compagnon|compagne|fils|fille|mère|père|s(?:œ|oe)ur|frère|chef|cheffe|chien|chienne|chat|chatte) s'appelle \\S",
    ),
    states(
      "preference",
      "preferences",
      "(?:je préfère|j'aime|j'adore|je déteste|je n'aime pas|j'apprécie|je ne supporte pas) (?:bien |beaucoup |vraiment |mieux )?(?!(?:ça|cela|ceci|ce|cette?|bien ça|ta|ton|tes|votre|vos|que|quand|comment)(?!\\p{L}))\\S|(?:mon|ma) .{2,40} préférée? est \\S|je (?:ne )?(?:mange|bois|utilise|prends|voyage) (?:toujours|jamais|pas|plus|uniquement) \\S",
    ),
    states(
      "rule",
      "preferences",
      "(?:à partir de maintenant|désormais|dorénavant|à l'avenir),? \\S|(?:réponds|répondez|écris|écrivez|utilise|utilisez)(?:-moi)? (?:toujours|uniquement) \\S",
    ),
    states(
      "decision",
      "events",
      "(?:nous avons|on a|j'ai) (?:\\p{L}+ )?(?:décidé|choisi|convenu|opté) \\S|décision\\s*:\\s*\\S",
    ),
  ],
};

export const SPANISH: LanguagePatterns = {
  language: "es",
  remember: [
    starts(
      "(?:por favor,? )?(?:recuerda|recuerde|acuérdate|ten en cuenta|tenga en cuenta|anota|apunta|no olvides|no olvide)(?: bien)?(?: (?:esto|lo siguiente))?(?:\\s*[:,—–]\\s*|\\s+(?:de )?que\\s+)",
    ),
    starts("para (?:que lo sepas|la próxima(?: vez)?|tu información)[:,]?\\s+"),
  ],
  dontRemember: hasWords(
    "no (?:recuerdes|guardes|anotes|apuntes|memorices) (?:esto|eso|lo que|nada)|olvida (?:esto|eso|lo que)|olvídalo|es broma|estoy bromeando",
  ),
  lead: starts(
    "(?:hola|por cierto|además|también|y|bueno|pues|ok|vale|sí|gracias|en realidad|en general|personalmente)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:yo|me|mi|mis|soy|tengo|vivo|trabajo|prefiero|nosotros)(?!\\p{L})))",
  ),
  correction: starts(
    "(?:no|perdón|corrección|espera|eso no es correcto|te equivocas)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:en realidad|de hecho|quise decir|más bien)[, ]+)",
  ),
  supposed: hasWords(
    "si (?:yo |me |mi )?\\p{L}+(?:ra|ría|ase|ese|iera)|si fuera|imagina|imaginemos|supongamos|sería|tendría|preferiría|quisiera|me gustaría|quizás?|tal vez|ojalá|como si|por ejemplo|en la historia",
  ),
  statements: [
    ...ENDED_SPANISH,
    statesExactly("home", "profile", "[Ss]oy de \\p{Lu}"),
    statesExactly("work", "profile", "(?:Yo )?[Tt]rabajo en \\p{Lu}"),
    states(
      "name",
      "profile",
      "(?:yo )?me llamo \\S|mi nombre (?:completo )?es \\S|llámame \\S|puedes llamarme \\S",
    ),
    states("age", "profile", "tengo \\d{1,3} años|mi cumpleaños es|nací (?:el|en) "),
    states(
      "work",
      "profile",
      "(?:yo )?trabajo (?:como|para|de) (?!(?:ti|esto|eso|ello|casa)(?!\\p{L}))\\S|soy (?:un |una )?(?:\\p{L}+ )?(?:ingenier|desarrollador|enfermer|médic|profesor|maestr|estudiante|abogad|arquitect|diseñador|periodista|investigador|contador|traductor|jubilad|cociner|músic|artista|psicólog|farmacéutic|programador)\\p{L}*|mi (?:profesión|trabajo) es|estudio (?!(?:el|la|los|las|un|una|este|esta|eso|cómo)(?!\\p{L}))\\p{L}",
    ),
    states(
      "home",
      "profile",
      "(?:yo )?vivo (?:en|cerca de) (?!(?:la misma|el mismo)(?!\\p{L}))\\S|me mudé a \\S|me he mudado a \\S|mi dirección es",
    ),
    states(
      "health",
      "profile",
      "soy (?:\\p{L}+ )?alérgic[oa] al?|tengo (?:una )?(?:alergia|intolerancia|diabetes|asma|migrañas|celiaquía)|soy (?:vegan[oa]|vegetarian[oa]|diabétic[oa]|celíac[oa]|intolerante|zurd[oa]|daltónic[oa])|estoy embarazada",
    ),
    states(
      "family",
      "profile",
      "(?:estoy|soy) (?:casad|divorciad|prometid|viud|solter)[oa]|tengo (?:un|una|dos|tres|cuatro|\\d+) (?:hij[oa]s?|herman[oa]s?|perr[oa]s?|gat[oa]s?|niet[oa]s?)(?!\\p{L})",
    ),
    states(
      "relative",
      "entities",
      "(?:mi|nuestr[oa]) (?:espos[oa]|mujer|marido|novi[oa]|parej[a]|hij[oa]|madre|padre|herman[oa]|jef[ea]|perr[oa]|gat[oa]) se llama \\S",
    ),
    states(
      "preference",
      "preferences",
      "(?:yo )?(?:prefiero|adoro|odio|detesto) (?!(?:esto|eso|est[ea]|tu|que|cómo|cuando)(?!\\p{L}))\\S|(?:a mí )?(?:no )?me (?:gustan?|encantan?) (?:mucho )?(?!(?:esto|eso|est[ea]|tu|tus|que|cómo|cuando|ir a ver)(?!\\p{L}))\\S|mi .{2,40} (?:favorit[oa]|preferid[oa]) es \\S|(?:yo )?(?:nunca|siempre|no) (?:como|bebo|uso|tomo|fumo|viajo) \\S",
    ),
    states(
      "rule",
      "preferences",
      "(?:a partir de ahora|de ahora en adelante|en el futuro),? \\S|(?:por favor,? )?(?:responde|escribe|usa|contesta)(?:me)? (?:siempre|solo|únicamente) \\S",
    ),
    states(
      "decision",
      "events",
      "(?:hemos|he) (?:\\p{L}+ )?(?:decidido|acordado|elegido|optado) \\S|(?:decidimos|acordamos|elegimos|decidí) \\S|decisión:\\s*\\S",
    ),
  ],
};

export const PORTUGUESE: LanguagePatterns = {
  language: "pt",
  remember: [
    starts(
      "(?:por favor,? )?(?:lembre-se|lembra-te|lembre|anote|anota|tenha em mente|guarde|não (?:se )?esqueça|não te esqueças)(?: (?:disto|isto|isso|o seguinte))?(?:\\s*[:,—–]\\s*|\\s+(?:de )?que\\s+)",
    ),
    starts("para (?:referência|a próxima(?: vez)?|sua informação)[:,]?\\s+"),
  ],
  dontRemember: hasWords(
    "não (?:guarde|guardes|salve|anote|memorize|lembre) (?:isto|isso|disso|o que|nada)|esqueç[ae] (?:isto|isso|o que)|é brincadeira|estou brincando",
  ),
  lead: starts(
    "(?:olá|oi|aliás|a propósito|também|e|bem|então|ok|sim|obrigad[oa]|na verdade|em geral|pessoalmente)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:eu|me|meu|minha|nós)(?!\\p{L})))",
  ),
  correction: starts(
    "(?:não|desculpe|desculpa|correção|espera|isso está errado)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:na verdade|na realidade|eu quis dizer|aliás)[, ]+)",
  ),
  supposed: hasWords(
    "se eu|se nós|imagine|imagina|suponha|suponhamos|seria|teria|preferiria|gostaria|queria|talvez|oxalá|como se|por exemplo|na história",
  ),
  statements: [
    ...ENDED_PORTUGUESE,
    statesExactly("home", "profile", "(?:Eu )?[Ss]ou d[eoa] \\p{Lu}"),
    statesExactly("work", "profile", "(?:Eu )?[Tt]rabalho (?:na|no|em) \\p{Lu}"),
    states(
      "name",
      "profile",
      "(?:eu )?me chamo \\S|(?:eu )?chamo-me \\S|(?:o )?meu nome (?:completo )?é \\S|me chame de \\S",
    ),
    states("age", "profile", "(?:eu )?tenho \\d{1,3} anos|meu aniversário é|nasci (?:em|no|na) "),
    states(
      "work",
      "profile",
      "(?:eu )?trabalho (?:como|para) (?!(?:isso|isto|você)(?!\\p{L}))\\S|(?:eu )?sou (?:um |uma )?(?:\\p{L}+ )?(?:engenheir|desenvolvedor|enfermeir|médic|professor|estudante|advogad|arquitet|designer|jornalista|pesquisador|contador|tradutor|aposentad|cozinheir|músic|artista|psicólog|farmacêutic|programador)\\p{L}*|minha profissão é|(?:eu )?estudo (?!(?:o|a|os|as|um|uma|esse|esta?|isso|como)(?!\\p{L}))\\p{L}",
    ),
    states(
      "home",
      "profile",
      "(?:eu )?(?:moro|vivo) (?:em|no|na|perto) \\S|(?:eu )?me mudei para \\S|mudei-me para \\S|meu endereço é",
    ),
    states(
      "health",
      "profile",
      "(?:eu )?sou (?:\\p{L}+ )?alérgic[oa] (?:a|ao|à)|(?:eu )?tenho (?:uma )?(?:alergia|intolerância|diabetes|asma|enxaqueca|doença celíaca)|(?:eu )?sou (?:vegan[oa]|vegetarian[oa]|diabétic[oa]|celíac[oa]|intolerante|canhot[oa]|daltônic[oa])|estou grávida",
    ),
    states(
      "family",
      "profile",
      "(?:eu )?sou (?:casad|divorciad|noiv|viúv|solteir)[oa]|(?:eu )?tenho (?:um|uma|dois|duas|três|quatro|\\d+) (?:filh[oa]s?|irmãos?|irmãs?|cachorr[oa]s?|cã(?:o|es)|gat[oa]s?|net[oa]s?)(?!\\p{L})",
    ),
    states(
      "relative",
      "entities",
      "(?:o |a )?(?:meu|minha|noss[oa]) (?:espos[oa]|mulher|marido|namorad[oa]|filh[oa]|mãe|pai|irmão|irmã|chefe|cachorr[oa]|gat[oa]) (?:se chama|chama-se) \\S",
    ),
    states(
      "preference",
      "preferences",
      "(?:eu )?(?:prefiro|adoro|odeio|detesto|amo) (?!(?:isto|isso|est[ea]|ess[ea]|seu|sua|que|como|quando|você)(?!\\p{L}))\\S|(?:eu )?(?:não )?gosto (?:muito )?d(?!(?:isso|isto|ess[ea]|est[ea])(?!\\p{L}))\\S|(?:o |a )?(?:meu|minha) .{2,40} (?:favorit[oa]|preferid[oa]) é \\S|(?:eu )?(?:nunca|sempre|não) (?:como|bebo|uso|tomo|fumo|viajo) \\S",
    ),
    states(
      "rule",
      "preferences",
      "(?:a partir de agora|de agora em diante|daqui para a frente|no futuro),? \\S|(?:por favor,? )?(?:responda|escreva|use) (?:sempre|apenas|somente) \\S",
    ),
    states(
      "decision",
      "events",
      "(?:nós )?(?:decidimos|concordamos|escolhemos|optamos) \\S|(?:eu )?decidi \\S|decisão:\\s*\\S",
    ),
  ],
};

export const ITALIAN: LanguagePatterns = {
  language: "it",
  remember: [
    starts(
      "(?:per favore,? )?(?:ricorda(?:ti)?|ricordi|tieni (?:a mente|presente)|annota|segnati|non dimenticare|non scordare)(?: (?:questo|quanto segue))?(?:\\s*[:,—–]\\s*|\\s+che\\s+)",
    ),
    starts("per (?:la prossima volta|tua informazione|futura memoria)[:,]?\\s+"),
  ],
  dontRemember: hasWords(
    "non (?:ricordare|salvare|annotare|memorizzare|tenere) (?:questo|quello|ciò|niente)|dimentica (?:questo|quello|ciò)|sto scherzando|è uno scherzo",
  ),
  lead: starts(
    "(?:ciao|salve|tra l'altro|comunque|anche|e|beh|allora|ok|sì|grazie|in realtà|in generale|personalmente)(?:\\s*[,.:;!—–]+\\s*|\\s+(?=(?:io|mi|il mio|la mia|sono|ho|noi)(?!\\p{L})))",
  ),
  correction: starts(
    "(?:no|scusa|correzione|aspetta|è sbagliato|non è corretto)(?:\\s*[,.:;!—–]+\\s*|\\s+)(?:(?:in realtà|in effetti|volevo dire|anzi)[, ]+)",
  ),
  supposed: hasWords(
    "se io|se fossi|se avessi|se \\p{L}+ssi|immagina|immaginiamo|supponiamo|sarei|avrei|vorrei|preferirei|mi piacerebbe|forse|magari|come se|per esempio|nella storia",
  ),
  statements: [
    ...ENDED_ITALIAN,
    statesExactly("home", "profile", "(?:Io )?(?:[Ss]ono di|[Vv]engo (?:da|dal|dalla)) \\p{Lu}"),
    statesExactly("work", "profile", "(?:Io )?[Ll]avoro (?:a|in|alla|al) \\p{Lu}"),
    states("name", "profile", "(?:io )?mi chiamo \\S|il mio nome è \\S|chiamami \\S"),
    states("age", "profile", "(?:io )?ho \\d{1,3} anni|il mio compleanno è|sono nat[oa] (?:il|a|nel) "),
    states(
      "work",
      "profile",
      "(?:io )?lavoro (?:come|presso|per|da) (?!(?:te|questo|casa|ore|due|tre)(?!\\p{L}))\\S|(?:io )?(?:sono|faccio) (?:un |una |un'|il |la |l')?(?:\\p{L}+ )?(?:ingegner|sviluppat|infermier|medic|professor|insegnant|student|avvocat|architett|designer|giornalist|ricercat|contabil|tradutt|pensionat|cuoc|musicist|artist|psicolog|farmacist|programmat)\\p{L}*|studio \\p{L}{4,}",
    ),
    states(
      "home",
      "profile",
      "(?:io )?(?:vivo|abito) (?:a|in|vicino) \\S|mi sono trasferit[oa] a \\S|il mio indirizzo è",
    ),
    states(
      "health",
      "profile",
      "(?:io )?sono (?:\\p{L}+ )?allergic[oa] a\\p{L}*|(?:io )?ho (?:un'|una )?(?:allergia|intolleranza)|(?:io )?ho (?:il |l')?(?:diabete|asma|emicrania)|(?:io )?sono (?:vegan[oa]|vegetarian[oa]|diabetic[oa]|celiac[oa]|intollerante|incinta|mancin[oa]|daltonic[oa])",
    ),
    states(
      "family",
      "profile",
      "(?:io )?sono (?:sposat|divorziat|fidanzat|vedov)[oa]|(?:io )?ho (?:un|una|due|tre|quattro|\\d+) (?:figl[ioae]+|fratell[oi]|sorell[ae]|can[ei]|gatt[oiae]|nipot[ei])(?!\\p{L})",
    ),
    states(
      "relative",
      "entities",
      "(?:il |la |i )?(?:mi[oa]|nostr[oa]) (?:moglie|marito|compagn[oa]|ragazz[oa]|figli[oa]|madre|padre|sorella|fratello|cap[oa]|cane|gatt[oa]) si chiama \\S",
    ),
    states(
      "preference",
      "preferences",
      "(?:io )?(?:preferisco|adoro|odio|detesto|amo) (?!(?:questo|questa|quello|ciò|tuo|tua|che|come|quando)(?!\\p{L}))\\S|(?:a me )?(?:non )?mi (?:piace|piacciono) (?:molto )?(?!(?:questo|questa|quello|ciò|la tua|il tuo|che|come|quando)(?!\\p{L}))\\S|(?:il mio|la mia) .{2,40} preferit[oa] è \\S|(?:io )?non (?:mangio|bevo|uso|fumo) \\S|(?:io )?(?:mangio|bevo|uso|viaggio) (?:sempre|solo|mai) \\S",
    ),
    states(
      "rule",
      "preferences",
      "(?:d'ora in poi|da ora in poi|in futuro|da adesso),? \\S|(?:rispondi(?:mi)?|scrivi(?:mi)?|usa) (?:sempre|solo|soltanto) \\S",
    ),
    states(
      "decision",
      "events",
      "(?:abbiamo|ho) (?:\\p{L}+ )?(?:deciso|scelto|concordato|optato) \\S|decisione:\\s*\\S",
    ),
  ],
};
