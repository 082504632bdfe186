"""Words that say little of what a text is about: articles, pronouns, prepositions, auxiliary verbs. Short lists."""

STOP_WORDS = {
    "english": """
        an and are as at be been being but by can could did do does doing for from had has have having he her hers him
        his how if in into is it its just me my no nor not of off on or our ours own she should so some such than that
        the their theirs them then there these they this those to too us very was we were what when where which while
        who whom why will with would you your yours am only same about after again against all any because before
        below between both during each few further here more most other out over through under until up down once
        himself herself itself myself yourself themselves ourselves""",
    "french": """
        au aux avec ce ces cet cette dans de des du elle elles en est et eux il ils je la le les leur leurs lui ma mais
        me mes moi mon ne nos notre nous on ou où par pas pour qu que qui sa sans se ses son sont sur ta te tes toi ton
        tu un une vos votre vous été être avoir ai as avons avez ont avait avaient était étaient suis es sommes êtes
        fut sera seront dont si plus très comme aussi ni""",
    "german": """
        aber als am an auch auf aus bei bin bis bist da damit das dass dem den der des die dir doch du durch ein eine
        einem einen einer eines er es für hab habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren
        ihrer ihres im in ins ist ja kann kein keine keinem keinen keiner können mein meine mich mir mit nach nicht
        noch nun nur ob oder ohne sehr sein seine sich sie sind so über um und uns unser unter vom von vor war waren
        was weil wenn wer werden wie wieder wir wird wo würde zu zum zur""",
    "spanish": """
        al ante aunque como con cual cuando de del desde donde durante el ella ellas ellos en entre era eran es esa ese
        eso esta estaba estas este esto estos está están fue fueron ha había han hasta la las le les lo los me mi mis
        muy más nada ni no nos nosotros nuestra nuestro os otra otro para pero por porque que quien se sea ser si sin
        sobre son su sus también tan te tiene tienen todo tu tus un una uno unos unas vosotros ya yo él""",
    "italian": """
        ad agli ai al alla alle allo anche avere aveva avevano che chi ci coi col come con cui da dagli dai dal dalla
        dalle dallo degli dei del della delle dello di dove ed era erano essere fu gli ha hai hanno ho il in io la le
        lei
        li lo loro lui ma mi mia mie miei mio ne negli nei nel nella nelle nello noi non nostra nostro per perché più
        quale quando quella quelle quelli quello questa queste questi questo se sei si sia siamo siete sono su sua sue
        sugli sui sul sulla sulle suo suoi ti tra tu tua tuo un una uno vi voi vostra vostro""",
    "portuguese": """
        ao aos as até com como da das de dela dele deles do dos ela elas ele eles em entre era eram essa esse esta este
        está estão eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na nas nem no nos nossa nosso num
        numa não os ou para pela pelas pelo pelos por qual quando que quem se seja sem ser seu seus sua suas são só
        também te tem tinha tu tua um uma você vocês às""",
    "dutch": """
        aan al alles als ben bij dan dat de der deze die dit doch door dus een en er ge geen had hadden heb hebben heeft
        hem het hier hij hoe hun iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet
        niets
        nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot uit uw van veel voor want waren was wat
        werd wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou""",
}
